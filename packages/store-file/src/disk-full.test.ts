import { execFileSync } from "node:child_process";
import type * as NodeFs from "node:fs";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { journalPath, NOBODY, openFileStore, temporaryDirectory, turn, turnsOf } from "../test/file-driver.ts";
import { begin, begun, settle } from "../test/turn-calls.ts";

/** Bytes that the disk still takes. */
let room = Number.POSITIVE_INFINITY;
/** What the disk answers when it is asked to make sure. */
let syncFailure: NodeJS.ErrnoException | null = null;

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof NodeFs>();
  return {
    ...fs,
    /** As the system does it: what fits is written, and the rest is refused when it is tried. */
    writeSync(fd: number, bytes: Uint8Array, offset = 0) {
      if (room === 0) throw errno("ENOSPC", "write");
      const written = fs.writeSync(fd, bytes, offset, Math.min(room, bytes.length - offset));
      room -= written;
      return written;
    },
    fdatasync(fd: number, done: (error: Error | null) => void) {
      if (syncFailure === null) fs.fdatasync(fd, done);
      else done(syncFailure);
    },
  };
});

describe("a disk that fills up", () => {
  it("at any byte of a record loses nothing, tears nothing, and is named with a remedy", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    onTestFinished(() => {
      room = Number.POSITIVE_INFINITY;
    });
    const full = {
      status: "RESOURCE_EXHAUSTED",
      message: expect.stringMatching(/\.journal: ENOSPC from write\. Free space there/),
      details: { path: expect.stringContaining(directory), code: "ENOSPC" },
    };
    let expected = 0;
    for (let bytes = 0; bytes < 80; bytes += 3) {
      room = bytes;
      await expect(begin(store, "s"), `room for ${bytes}`).rejects.toMatchObject(full);
      room = Number.POSITIVE_INFINITY;
      const { lease } = await begun(store, "s");
      room = bytes;
      await expect(settle(store, lease)).rejects.toMatchObject(full);
      expect((await store.turns.read(NOBODY, { snapshotId: lease.snapshotId }, "meta"))?.turn.status).toBe("pending");
      room = Number.POSITIVE_INFINITY;
      expect((await settle(store, lease)).ok).toBe(true);
      expected++;
      expect(await turnsOf(openFileStore(directory), "s")).toHaveLength(expected);
    }
  });

  it("does not keep a journal from being used that could not be written anew", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory);
    for (let count = 0; count < 4; count++) await turn(store, "s", { text: "long ".repeat(10_000) });
    // Enough for the record of the prune, not for the new journal.
    room = 1_000;
    expect((await store.index.prune(NOBODY, "s", { keepLast: 1 }, 9)).dropped).toBe(3);
    room = Number.POSITIVE_INFINITY;
    expect(await turnsOf(openFileStore(directory), "s")).toHaveLength(1);
    await turn(store, "s");
  });

  it("for real: every turn that was answered is there (skipped unless root on Linux, which may mount a tmpfs)", async ({
    skip,
  }) => {
    const directory = join(temporaryDirectory(), "small");
    mkdirSync(directory);
    skip(!mountSmallDisk(directory), "no right to mount");
    onTestFinished(() => void execFileSync("umount", [directory]));
    const store = openFileStore(directory, { durability: "fsync" });
    const answered: string[] = [];
    const fill = async (): Promise<never> => {
      for (;;) answered.push(await turn(store, "s", { text: "x".repeat(20_000) }));
    };
    await expect(fill()).rejects.toMatchObject({
      status: "RESOURCE_EXHAUSTED",
      message: expect.stringContaining(directory),
    });
    expect(answered.length).toBeGreaterThan(5);
    const stored = await turnsOf(store, "s");
    const completed = stored.filter(({ status }) => status === "completed").map(({ snapshotId }) => snapshotId);
    expect(completed).toEqual(answered);
    expect((await store.health()).warnings.join()).toContain("MB left");
    await store.close();
  });
});

describe("a disk that fails", () => {
  it("to make sure what was written is UNAVAILABLE from then on: it may be lost, whatever a second try says", async () => {
    const directory = temporaryDirectory();
    const store = openFileStore(directory, { durability: "fsync" });
    await turn(store, "s");
    syncFailure = errno("EIO", "fdatasync");
    onTestFinished(() => {
      syncFailure = null;
    });
    const failed = {
      status: "UNAVAILABLE",
      message: expect.stringMatching(/EIO from fdatasync.*restart this process/),
    };
    await expect(begin(store, "s")).rejects.toMatchObject(failed);
    syncFailure = null;
    await expect(begin(store, "s")).rejects.toMatchObject(failed);
    await expect(store.index.getSession(NOBODY, "s")).rejects.toMatchObject(failed);
    await turn(store, "another");
  });

  it("is not asked where the operating system's word is enough", async () => {
    const directory = temporaryDirectory();
    syncFailure = errno("EIO", "fdatasync");
    onTestFinished(() => {
      syncFailure = null;
    });
    const store = openFileStore(directory, { durability: "os" });
    await turn(store, "s");
    expect(readFileSync(journalPath(directory, "s"), "utf8")).toContain('"t":"settle"');
    expect(await store.health()).toMatchObject({ durable: false, warnings: [expect.stringContaining("power cut")] });
  });
});

function errno(code: string, syscall: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: injected, ${syscall}`), { code, syscall });
}

function mountSmallDisk(directory: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", directory], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

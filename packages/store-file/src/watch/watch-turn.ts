import { snapshotRoute } from "@agents/schema/hash";
import type { Caller } from "@agents/schema/port";
import type { StoreFiles } from "../turn/store-files.ts";
import type { FolderWatch } from "./folder-watch.ts";
import type { HintBoard } from "./hint-board.ts";

export interface Watching {
  readonly board: HintBoard;
  readonly folders: FolderWatch;
}

/** Hints about what this store does come at once; about what others do, when the system tells, or the poll finds it. */
export function watchTurn(
  files: StoreFiles,
  { board, folders }: Watching,
  { caller, snapshotId, onHint }: { readonly caller: Caller; readonly snapshotId: string; readonly onHint: () => void },
): () => void {
  const route = snapshotRoute(snapshotId);
  // A turn with such an id never exists.
  if (route === undefined) return () => undefined;
  const place = { scope: caller.scope, route };
  const leave = board.watch(caller, snapshotId, onHint);
  const stop = folders.add(files.journals.folderOf(place), () => files.journals.refresh(place));
  // From here on changes are seen, so what is there already counts as seen.
  files.journals.refresh(place);
  return () => {
    leave();
    stop();
  };
}

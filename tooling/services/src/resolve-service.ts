import { describeFailure } from "./describe-failure.ts";
import { type BinarySearch, describeSearch, findBinary } from "./find-binary.ts";
import type { Machine } from "./machine.ts";
import { maskPassword } from "./mask-password.ts";

export interface WantedService {
  /** "Postgres". */
  title: string;
  /** Environment variable that names a service which is already there. */
  variable: string;
  /** A value that variable might have. */
  example: string;
  /** Resolves when the service that `value` names can be used; rejects with the reason when it cannot. */
  check(value: string): Promise<void>;
  programs: BinarySearch["programs"];
  /** Where programs lie besides PATH. Asked again after an installation. */
  folders(machine: Machine): string[];
  aptPackage: string;
  /** How to install it on macOS. */
  macos: string;
}

export type ResolvedService = { type: "given"; value: string } | { type: "binary"; file: string };

/**
 * Finds a service: the environment's first, then the machine's programs, then those of a Debian package.
 * A variable that is set but does not work is an error, not a reason to look further: whoever set it meant that server.
 */
export async function resolveService(wanted: WantedService, machine: Machine): Promise<ResolvedService> {
  const value = machine.env[wanted.variable];
  if (value) {
    await checkGiven(wanted, value);
    return { type: "given", value };
  }

  const search = () => ({ programs: wanted.programs, folders: wanted.folders(machine) });
  const found = findBinary(search(), machine);
  if (found) return { type: "binary", file: found };
  const attempts = [`${wanted.variable}: not set`, `${describeSearch(search(), machine)}: not there`];

  const outcome = await machine.install(wanted.aptPackage);
  switch (outcome.type) {
    case "installed": {
      const installed = findBinary(search(), machine);
      if (installed) return { type: "binary", file: installed };
      attempts.push(
        `apt-get install ${wanted.aptPackage}: done, but ${describeSearch(search(), machine)}: still not there`,
      );
      break;
    }
    case "skipped":
      attempts.push(`apt-get install ${wanted.aptPackage}: not tried, ${outcome.reason}`);
      break;
    case "failed":
      attempts.push(`apt-get install ${wanted.aptPackage}: ${outcome.reason}`);
      break;
  }
  throw new Error(notFoundMessage(wanted, attempts));
}

async function checkGiven({ title, variable, example, check }: WantedService, value: string): Promise<void> {
  try {
    await check(value);
  } catch (failure) {
    // No `cause`: connection errors may carry the URL with its password.
    throw new Error(
      `${title} cannot be used at ${variable}=${maskPassword(value)}: ${describeFailure(failure)}. ` +
        `Correct the value (for example ${example}), or unset ${variable} to have the tests find ${title} themselves.`,
    );
  }
}

function notFoundMessage({ title, variable, example, aptPackage, macos }: WantedService, attempts: string[]): string {
  return [
    `${title} was not found. Tried:`,
    ...attempts.map((attempt) => `- ${attempt}`),
    `Install it (Debian: apt-get install ${aptPackage}; macOS: ${macos}), or set ${variable}, for example ${example}.`,
  ].join("\n");
}

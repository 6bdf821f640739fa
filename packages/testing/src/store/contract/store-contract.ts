import type { ContractTest } from "../contract-test.ts";
import { abortContract } from "./abort-contract.ts";
import { beginContract } from "./begin-contract.ts";
import { bigStateContract } from "./big-state-contract.ts";
import { concurrencyRuleContract } from "./concurrency-rule-contract.ts";
import { deletionContract } from "./deletion-contract.ts";
import { eventContract } from "./event-contract.ts";
import { headContract } from "./head-contract.ts";
import { hintContract } from "./hint-contract.ts";
import { leaseContract } from "./lease-contract.ts";
import { lineageContract } from "./lineage-contract.ts";
import { lookupContract } from "./lookup-contract.ts";
import { pageContract } from "./page-contract.ts";
import { raceContract } from "./race-contract.ts";
import { reopenContract, reopenHintContract } from "./reopen-contract.ts";
import { eventRetentionContract, retentionContract } from "./retention-contract.ts";
import { sessionContract } from "./session-contract.ts";
import { settleContract } from "./settle-contract.ts";
import { eventTransferContract, transferContract } from "./transfer-contract.ts";

/** Every sentence of the contract that is tested by example; `testStore` adds random sequences. */
export const storeContract: readonly ContractTest[] = [
  ...lookupContract,
  ...beginContract,
  ...concurrencyRuleContract,
  ...settleContract,
  ...headContract,
  ...lineageContract,
  ...leaseContract,
  ...abortContract,
  ...eventContract,
  ...hintContract,
  ...sessionContract,
  ...pageContract,
  ...deletionContract,
  ...retentionContract,
  ...eventRetentionContract,
  ...transferContract,
  ...eventTransferContract,
  ...bigStateContract,
  ...raceContract,
  ...reopenContract,
  ...reopenHintContract,
];

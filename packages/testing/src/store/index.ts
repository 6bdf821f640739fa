export { storeContract } from "./contract/store-contract.ts";
export type { Capability, ContractTest } from "./contract-test.ts";
export { loadState } from "./kit/load-state.ts";
export { fullContent, patchContent, stateAfter, type TestContent, type TestState } from "./kit/state-content.ts";
export type { StoreKit } from "./kit/store-kit.ts";
export type { StoreContext, StoreSource } from "./open-store.ts";
export { runContractTest, type StorePart, type TestStoreOptions, testStore } from "./test-store.ts";

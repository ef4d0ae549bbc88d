/** Budgets that several sessions share. */
export {
  acceptBudget,
  createBudget,
  deleteBudget,
  loadBudget,
  saveBudget,
  type StoredBudget,
} from "./convoys/convoys-store.ts";
export { idRule, readConvoyId } from "./convoys/id.ts";
export { listBudgets, type StrayFile } from "./convoys/list.ts";
export { allBudgets, joinConvoy, leaveConvoy, membersOf, convoyIdOf, convoyOf } from "./convoys/members.ts";

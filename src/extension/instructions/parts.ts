/** Code for rent and proposed prompts: one bundle, as both read receipts and frontmatter. */
export { ProposalHost } from "./proposal-host.ts";
export { RentHost } from "./instructions-host.ts";

export { expectationOf, Worth, type Use } from "./worth/worth.ts";

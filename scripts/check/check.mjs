/**
 * `npm run check`: installs what is missing, then runs every step of `run.ts` on the project's own Node; with `--current-node`, on the Node that
 * npm uses.
 */
import { become, prepare } from "../bootstrap.mjs";

const own = prepare();
const args = process.argv.slice(2);
const isCurrent = args.includes("--current-node");
become(
  isCurrent ? process.execPath : own,
  "scripts/check/run.ts",
  args.filter((arg) => arg !== "--current-node"),
);

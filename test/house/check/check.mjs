/** `npm run check`: installs what is missing, then runs every step of `run.ts` on the project's own Node. */
import { become, prepare } from "../bootstrap.mjs";

become(prepare(), "test/house/check/run.ts", process.argv.slice(2));

/** `npm run try`: installs what is missing, then runs `try.ts`, or `look-at-rules.ts` for `npm run try -- rules`, on the project's own Node. */
import { become, prepare } from "../../../scripts/bootstrap.mjs";

const [first, ...rest] = process.argv.slice(2);
const node = prepare();
if (first === "rules") become(node, "test/host/try/look-at-rules.ts", rest);
else become(node, "test/host/try/try.ts", process.argv.slice(2));

/** `npm run try`: installs what is missing, then runs `try.ts` on the project's own Node. */
import { become, prepare } from "../../house/bootstrap.mjs";

become(prepare(), "test/host/try/try.ts", process.argv.slice(2));

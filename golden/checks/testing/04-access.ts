import { judgeTests } from "../shared/mutants.ts";

const auth = "src/server/http/auth.ts";
const handler = "src/server/http/error-handler.ts";
const mutant = (name: string, file: string, find: string, replace: string) => ({
  name,
  mutant: { file, find, replace },
});

await judgeTests({
  tests: ["test/access.test.ts"],
  least: 6,
  versions: [
    { name: "the code as it is" },
    mutant("readers may write", auth, 'token === readerToken && request.method !== "GET"', "false"),
    mutant(
      "readers may read nothing",
      auth,
      'token === readerToken && request.method !== "GET"',
      "token === readerToken",
    ),
    mutant("the desk may not write", auth, "if (token === readerToken &&", "if ("),
    mutant("any token will do", auth, "token !== deskToken && token !== readerToken", "token === undefined"),
    mutant(
      "no token will do",
      auth,
      "if (token !== deskToken &&",
      "if (token !== undefined && token !== deskToken &&",
    ),
    mutant("a token needs no Bearer", auth, "/^Bearer (\\S+)$/", "/(\\S+)$/"),
    mutant("a stranger is answered 403", auth, "DeskError(401,", "DeskError(403,"),
    mutant("a reader who writes is answered 401", auth, "DeskError(403,", "DeskError(401,"),
    mutant(
      "a bug's message is told to everybody",
      handler,
      'message: "Something went wrong"',
      "message: String(error)",
    ),
    mutant("a bug is not logged", handler, "log(error instanceof Error ?", "void (error instanceof Error ?"),
  ],
});

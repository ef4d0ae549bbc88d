import type { CodedRule } from "../calls/rule.ts";

/** The rules on what a call names and is not there. */
export const factRules: readonly CodedRule[] = [
  {
    id: "missing-path",
    family: "facts",
    message: "The call reads a file or a folder that does not exist.",
    remedy: "Use the nearest path that is there.",
    example: "`cat src/indx.ts` where only `src/index.ts` is there",
  },
  {
    id: "missing-script",
    family: "facts",
    message: "The package has no script of this name.",
    remedy: "Run one of the scripts that its `package.json` has.",
    example: "`npm run biuld` where the script is `build`",
  },
  {
    id: "missing-target",
    family: "facts",
    message: "The build file has no target, recipe or task of this name.",
    remedy: "Run one that it has.",
    example: "`make tests` where the target is `test`",
  },
  {
    id: "missing-ref",
    family: "facts",
    message: "The repository has no branch, tag or commit of this name.",
    remedy: "Use the nearest name that it has, or fetch it first.",
    example: "`git switch mian` where the branch is `main`",
  },
  {
    id: "missing-package",
    family: "facts",
    message: "Neither manifest nor lock file has the package. No registry is asked.",
    remedy: "Use a package that the project has, or add it first.",
    example: '`import _ from "lodahs"` where the project has `lodash`',
  },
  {
    id: "unknown-flag",
    family: "facts",
    message: "The installed program says of itself that it has no such option.",
    remedy: "Use the option that it has.",
    example: "`git commit --ammend`",
  },
  {
    id: "missing-export",
    family: "facts",
    message: "An edit imports a name that the other file does not export.",
    remedy: "Import a name that it exports, or export it there.",
    example: '`import { sumUp } from "./sums.ts"` where `sums.ts` exports `sum`',
  },
  {
    id: "missing-test",
    family: "facts",
    message: "No test has the name that the runner should run.",
    remedy: "Use the name of a test that is there.",
    example: "`pytest tests/test_cart.py::test_totl` where the test is `test_total`",
  },
];

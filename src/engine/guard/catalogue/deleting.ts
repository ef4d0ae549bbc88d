import type { GuardRule } from "../calls/rule.ts";

/** Rules on deleting files and whole trees of them. */
export const deletingRules: readonly GuardRule[] = [
  {
    id: "delete-root",
    family: "safety",
    match: [
      { program: "rm|rimraf|trash|unlink|srm", operand: { path: "root" } },
      { program: "rm|rimraf", flags: ["--no-preserve-root"] },
    ],
    message: "This deletes everything on the machine.",
    remedy: "Name the folder that you mean, below the project.",
    fires: [
      "rm -rf /",
      "sudo rm -rf /*",
      "rm -rf --no-preserve-root /srv/x",
      "cd / && rm -rf *",
      "bash -c 'rm -rf /'",
    ],
    passes: ["rm -rf ./build", "rm -rf /tmp/work", "echo 'rm -rf /'", "git commit -m 'rm -rf /'"],
  },
  {
    id: "delete-unset-variable",
    family: "safety",
    match: [{ program: "rm|rimraf", flags: ["-r|-R|--recursive"], operand: { path: "maybe-root" } }],
    message: "Where the variable is empty, this deletes everything on the machine.",
    remedy: 'Write "${NAME:?}/" so that an empty variable stops the command.',
    fires: ["rm -rf $BUILD/*", 'rm -rf "$DIR/"', "rm -rf ${OUT}/*"],
    passes: ['rm -rf "${DIR:?}/"*', "rm -rf $DIR", 'rm -rf "$DIR/build"', "DIR=out; rm -rf $DIR/*"],
  },
];

import { above } from "./package-tasks.ts";
import type { StoredRun } from "./run-stored.ts";

/** The hooks that commands of git run. */
const hooks: Readonly<Record<string, readonly string[]>> = {
  commit: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"],
  push: ["pre-push"],
  checkout: ["post-checkout"],
  switch: ["post-checkout"],
  merge: ["pre-merge-commit", "post-merge"],
  pull: ["post-merge"],
  rebase: ["pre-rebase", "post-rewrite"],
  am: ["applypatch-msg", "pre-applypatch", "post-applypatch"],
};
/** Hooks that `--no-verify` leaves out. */
const verifying = new Set(["pre-commit", "commit-msg", "pre-push", "pre-merge-commit", "pre-rebase"]);
/** Folders in which projects keep them. */
const folders = [".husky", ".githooks", ".git/hooks"];
const valued = new Set(["-C", "-c", "--git-dir", "--work-tree", "--namespace"]);

/** Returns the hooks of the repository that a command of git runs. */
export function hookRuns(program: string, texts: readonly string[]): readonly StoredRun[] {
  if (program !== "git") return [];
  let folder = ".";
  let set: string | null = null;
  let at = 0;
  for (; at < texts.length && texts[at]?.startsWith("-") === true; at += 1) {
    const value = texts[at + 1] ?? "";
    if (texts[at] === "-C") folder = value;
    if (texts[at] === "-c" && /^core\.hookspath=/iu.test(value)) set = value.slice(value.indexOf("=") + 1);
    if (valued.has(texts[at] ?? "")) at += 1;
  }
  const [command = "", ...rest] = texts.slice(at);
  const isUnverified = rest.some(
    (text) => text === "--no-verify" || (command === "commit" && /^-[a-zA-Z]*n/u.test(text)),
  );
  const all = Object.hasOwn(hooks, command) ? (hooks[command] ?? []) : [];
  const run = all.filter((name) => !isUnverified || !verifying.has(name));
  return run.flatMap((name) =>
    (set === null ? folders : [set]).map((place): StoredRun => {
      const file = `${place}/${name}`;
      const names = place.startsWith("/") ? [file] : above(folder, file);
      return { names, part: "", language: "by-first-line", scripts: (text) => [text] };
    }),
  );
}

/**
 * GitHub issues as tasks of purser's recurring agents, by GitHub's own program `gh`. In an agent's file:
 *
 *   tasks: { command: [node, tools/github.mjs] }
 *
 * Copy it into your project and change it as you like; README.md beside it says what purser asks. A task is an open issue with the label `purser`;
 * labels name its priority (`priority: high`), its agent (`agent: keeper`) and its state (`state: in_progress`). A closed issue is done.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [verb, id, state] = process.argv.slice(2);
const gh = (...args) => execFileSync("gh", args, { encoding: "utf8", maxBuffer: 32 * 1024 * 1024 });
const fields = "number,title,body,state,stateReason,labels,updatedAt";

const actions = {
  list() {
    const issues = JSON.parse(
      gh("issue", "list", "--label", "purser", "--state", "all", "--limit", "200", "--json", fields),
    );
    return { tasks: issues.map(taskOf) };
  },
  read() {
    const issue = JSON.parse(gh("issue", "view", id, "--json", `${fields},comments`));
    const comments = issue.comments.map((comment) => ({
      id: comment.id,
      author: comment.author?.login ?? "unknown",
      at: comment.createdAt,
      text: comment.body,
    }));
    return { task: taskOf(issue), comments };
  },
  comment() {
    const { author, text } = JSON.parse(readFileSync(0, "utf8"));
    const url = gh("issue", "comment", id, "--body", `${text}\n\n(by ${author})`);
    return { id: url.trim().split("#").at(-1) };
  },
  state() {
    if (state === "done") gh("issue", "close", id, "--reason", "completed");
    else if (state === "cancelled") gh("issue", "close", id, "--reason", "not planned");
    else {
      const issue = JSON.parse(gh("issue", "view", id, "--json", "state,labels"));
      if (issue.state === "CLOSED") gh("issue", "reopen", id);
      const old = issue.labels.map(({ name }) => name).filter((name) => name.startsWith("state: "));
      const wanted = `state: ${state}`;
      const removed = old.filter((name) => name !== wanted).flatMap((name) => ["--remove-label", name]);
      gh("issue", "edit", id, "--add-label", wanted, ...removed);
    }
    return {};
  },
};

function taskOf({ number, title, body, state: open, stateReason, labels, updatedAt }) {
  const label = (kind) =>
    labels
      .map(({ name }) => name)
      .find((name) => name.startsWith(`${kind}: `))
      ?.slice(kind.length + 2);
  const closed = stateReason === "NOT_PLANNED" ? "cancelled" : "done";
  return {
    id: String(number),
    title,
    description: body ?? "",
    state: open === "CLOSED" ? closed : (label("state") ?? "todo"),
    priority: label("priority") ?? "medium",
    assignee: label("agent") ?? null,
    updatedAt,
  };
}

const action = Object.hasOwn(actions, verb ?? "") ? actions[verb] : undefined;
if (action === undefined) {
  console.error(`unknown question ${verb}: one of ${Object.keys(actions).join(", ")}`);
  process.exitCode = 2;
} else process.stdout.write(`${JSON.stringify(action())}\n`);

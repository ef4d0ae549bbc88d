import { asLine } from "../terminal-text.ts";
import { cleanText } from "../../base/text.ts";
import type { TaskJson } from "./economy-schema.ts";

/** Short, because every character is in an agent's context. */
export function taskText(json: TaskJson): string {
  const lines = [
    ...(json.inbox === undefined ? [] : inboxLines(json.inbox)),
    ...(json.problems ?? []).map((problem) => `Left out: ${asLine(problem)}`),
    ...(json.context === undefined ? [] : contextLines(json.context)),
    ...(json.task === undefined ? [] : taskLines(json.task)),
    ...(json.digest === undefined ? [] : digestLines(json.digest)),
    ...(json.comments === undefined || json.digest !== undefined ? [] : commentLines(json.comments)),
    ...(json.written === undefined ? [] : [writtenLine(json.written)]),
  ];
  return `${lines.join("\n")}\n`;
}

type Part<Name extends keyof TaskJson> = NonNullable<TaskJson[Name]>;

function inboxLines(inbox: Part<"inbox">): string[] {
  if (inbox.length === 0) return ["No open tasks."];
  return inbox.map(({ id, title, state, priority, newComments, blockedBy }) => {
    const facts = [
      state,
      priority,
      ...(newComments === 0 ? [] : [`${newComments} new`]),
      ...(blockedBy.length === 0 ? [] : [`blocked by ${blockedBy.join(", ")}`]),
    ];
    return `${id}  ${cleanText(title)}  (${facts.join(", ")})`;
  });
}

function contextLines(context: Part<"context">): string[] {
  const { id, title, state, priority, assignee, check, description, parents, blockedBy, children, changes } =
    context;
  const { comments, lastWake, next } = context;
  const listed = (all: typeof parents) =>
    all
      .map((each) => `${each.id} ${cleanText(each.title)}${each.state === null ? "" : ` (${each.state})`}`)
      .join("; ");
  return [
    `${id}: ${cleanText(title)}`,
    `${state}, ${priority}, ${assignee === null ? "assigned to nobody" : cleanText(assignee)}`,
    ...(parents.length === 0 ? [] : [`Part of: ${listed(parents)}`]),
    ...(blockedBy.length === 0 ? [] : [`Blocked by: ${listed(blockedBy)}`]),
    ...(children.open + children.done === 0 ? [] : [`Parts: ${children.open} open, ${children.done} done`]),
    ...(check === null ? [] : [`Done when this succeeds: ${cleanText(check)}`]),
    ...(changes.length === 0 ? [] : [`Changed: ${changes.map(cleanText).join("; ")}`]),
    ...(lastWake === null
      ? []
      : [
          `Last wake: ${lastWake.outcome}${lastWake.detail === null ? "" : `, ${cleanText(lastWake.detail.text)}`}`,
        ]),
    `Comments: ${comments.total}, ${comments.new} new${next === "nothing" ? "" : `; next: purser task ${next} ${id}`}`,
    ...(description === null ? [] : ["", ...blockOf(description)]),
  ];
}

function taskLines({ id, title, state, priority, assignee, check, description }: Part<"task">): string[] {
  return [
    `${id}: ${cleanText(title)}`,
    `${state}, ${priority}, ${assignee === null ? "assigned to nobody" : cleanText(assignee)}`,
    ...(check === null ? [] : [`Done when this succeeds: ${cleanText(check)}`]),
    "",
    ...blockOf(description),
    "",
  ];
}

function digestLines(digest: Part<"digest">): string[] {
  const { id, title, state, check, description, open, key, last, authors, isWhole } = digest;
  const head = [
    `${id}: ${cleanText(title)} (${state})`,
    ...(check === null ? [] : [`Done when this succeeds: ${cleanText(check)}`]),
    ...blockOf(description),
  ];
  if (isWhole) return [...head, ...(last.length === 0 ? [] : ["", ...commentLines(last)])];
  return [
    ...head,
    ...(open.length === 0 ? [] : ["", "Open:", ...open.map((each) => `- ${cleanText(each)}`)]),
    ...(key.length === 0
      ? []
      : ["", "Said:", ...key.map(({ author, line }) => `- ${cleanText(author)}: ${cleanText(line)}`)]),
    ...(last.length === 0 ? [] : ["", "Last comments:", ...commentLines(last)]),
    `By ${authors.map(({ author, comments }) => `${cleanText(author)} (${comments})`).join(", ")}`,
    leftOutLine(digest),
  ];
}

function leftOutLine({ id, leftOut }: Part<"digest">): string {
  const { comments, lines, characters } = leftOut;
  const parts = [
    ...(comments === 0
      ? []
      : [comments === 1 ? "the rest of 1 comment" : `the rest of ${comments} comments`]),
    ...(lines === 0 ? [] : [`${lines} older such lines`]),
    ...(characters === 0 ? [] : [`${characters} characters of the description`]),
  ].join(", ");
  return `Left out: ${parts === "" ? "nothing" : parts}. purser task show ${id} has all.`;
}

function commentLines(comments: Part<"comments">): string[] {
  if (comments.length === 0) return ["No new comments."];
  return comments.flatMap(({ id, author, at, text }) => [
    `[${cleanText(id)}] ${cleanText(author)}${at === null ? "" : `, ${new Date(at).toISOString().slice(0, 16)}Z`}:`,
    ...blockOf(text),
    "",
  ]);
}

function writtenLine({ comment, state, detail }: Part<"written">): string {
  const done = [
    ...(comment === null ? [] : [`comment ${cleanText(comment)} written`]),
    ...(state === null ? [] : [`state is ${state}`]),
    ...(detail === null ? [] : [cleanText(detail)]),
  ].join("; ");
  return `${done.charAt(0).toUpperCase()}${done.slice(1)}.`;
}

function blockOf(text: string): string[] {
  return text
    .split("\n")
    .map(
      (line) =>
        `${/^\s*/u.exec(line)?.[0].replaceAll("\t", "  ").replaceAll(/[^ ]/gu, "") ?? ""}${cleanText(line)}`,
    );
}

import { sha256Hex } from "../../base/hash.ts";
import { Cron } from "croner";
import { parseYaml, type YamlFault } from "../../base/parse.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { issueSentence, issuesOf } from "../../base/schema-issues.ts";
import { displayNameOf } from "../../continuity/handover.ts";
import { abilities } from "../programs/honours.ts";
import { definitionHead, usualTools, type DefinitionHead } from "./recurring-agents-schema.ts";
import { sentence, type Sentence, compose, plainSentence } from "../../base/language.ts";

/** As its file defines it. */
export interface RecurringAgent extends Omit<DefinitionHead, "bootstrap"> {
  readonly name: string;
  /** Prompt for new sessions only. */
  readonly bootstrap: string;
  /** SHA-256 of the file's text: a person agrees to exactly this. */
  readonly hash: string;
  /** SHA-256 of what a running session cannot change: bootstrap, skills, servers, tools and instructions. */
  readonly sessionHash: string;
}

/** More characters than any such file needs. */
const maxFileLength = 200_000;

/** A name is a file's, and a word in commands and environment variables. */
export function isRecurringName(name: string): boolean {
  return /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/u.test(name);
}

export type DefinitionRead = Result<RecurringAgent, "bad_definition"> & {
  /** With the file's lines. */
  readonly faults?: readonly YamlFault[];
};

export function readDefinition(name: string, text: string): DefinitionRead {
  if (!isRecurringName(name))
    return failed([
      {
        line: 1,
        message: sentence("the file's name must be lower-case letters, digits and hyphens, at most 64"),
      },
    ]);
  if (text.length > maxFileLength)
    return failed([
      {
        line: 1,
        message: sentence("it has {0} characters; at most {1} are read", text.length, maxFileLength),
      },
    ]);
  const split = splitHead(text);
  if (split === null)
    return failed([{ line: 1, message: sentence("it must begin with a head between lines of ---") }]);
  const parsed = parseYaml(split.head);
  // The head starts on the file's second line.
  const inFile = ({ line, message }: YamlFault) => ({ line: line + 1, message });
  if (!parsed.ok) return failed([inFile(parsed.fault ?? { line: 1, message: parsed.detail })]);
  const { value, lineOf } = parsed.value;
  const checked = definitionHead.safeParse(value ?? {});
  if (!checked.success)
    return failed(
      issuesOf(checked.error).map((issue) => {
        const key = issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
        const path = key === undefined ? issue.path : [...issue.path, key];
        return inFile({ line: lineOf(path), message: issueSentence(issue) });
      }),
    );
  const head = checked.data;
  const body = split.body.trim();
  const faults = [...twoBootstraps(head, body), ...scheduleFaults(head), ...unhonoured(head)].map(
    ({ at, message }) => inFile({ line: lineOf([at]), message: compose`${at}: ${message}` }),
  );
  if (faults.length > 0) return failed(faults);
  const bootstrap = (head.bootstrap ?? body).trim();
  const { skills, mcp, tools, instructions } = head;
  const sessionHash = sha256Hex(JSON.stringify([bootstrap, skills, mcp, tools, instructions]));
  return succeed({ ...head, name, bootstrap, hash: sha256Hex(text), sessionHash });
}

interface FieldFault {
  readonly at: keyof DefinitionHead;
  readonly message: Sentence;
}

function twoBootstraps({ bootstrap }: DefinitionHead, body: string): FieldFault[] {
  return bootstrap === undefined || body === ""
    ? []
    : [{ at: "bootstrap", message: sentence("there is also a text below the head; keep one of them") }];
}

function scheduleFaults({ schedule, timezone }: DefinitionHead): FieldFault[] {
  if (schedule === undefined)
    return timezone === undefined ? [] : [{ at: "timezone", message: sentence("it has no schedule") }];
  try {
    const cron = new Cron(schedule, { paused: true, ...(timezone === undefined ? {} : { timezone }) });
    return cron.nextRun() === null ? [{ at: "schedule", message: sentence("it never comes again") }] : [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isZone = timezone !== undefined && /time ?zone/iu.test(message);
    return [
      {
        at: isZone ? "timezone" : "schedule",
        message: plainSentence(message.replace(/^CronPattern: /u, "")),
      },
    ];
  }
}

/** Settings that the chosen program would silently ignore. */
function unhonoured(head: DefinitionHead): FieldFault[] {
  const { program, permissions, cache, mcp, skills, tools, instructions } = head;
  const honours = abilities[program];
  const who = displayNameOf(program);
  const hasOwnTools = tools !== "all" && tools.join() !== usualTools.join();
  const faults: (readonly [isIgnored: boolean, at: keyof DefinitionHead, message: Sentence])[] = [
    [
      permissions.allow.length > 0 && !honours.allow,
      "permissions",
      sentence("{0} takes no list of allowed commands", who),
    ],
    [
      permissions.network && !honours.network,
      "permissions",
      sentence("network is Codex's; {0} does not shut commands off from it", who),
    ],
    [
      cache !== "auto" && !honours.cache,
      "cache",
      sentence("{0} does not let its user choose how long its cache lives", who),
    ],
    [
      mcp.length > 0 && !honours.mcp,
      "mcp",
      sentence("{0} takes its MCP servers from its own settings, and all of them", who),
    ],
    [
      skills !== "all" && skills.length > 0 && !honours.skills,
      "skills",
      sentence("{0} cannot be given some skills and not others", who),
    ],
    [
      hasOwnTools && !honours.tools,
      "tools",
      sentence("{0} cannot be offered just these tools; leave it out, or say all", who),
    ],
    [
      instructions === "none" && !honours.instructions,
      "instructions",
      sentence("{0} always reads them", who),
    ],
  ];
  return faults.flatMap(([isIgnored, at, message]) => (isIgnored ? [{ at, message }] : []));
}

function splitHead(text: string): { readonly head: string; readonly body: string } | null {
  const [, head, body] =
    /^\uFEFF?---[ \t]*\n(.*?\n|)---[ \t]*(?:\n(.*))?$/su.exec(text.replaceAll("\r\n", "\n")) ?? [];
  return head === undefined ? null : { head, body: body ?? "" };
}

function failed(faults: readonly YamlFault[]): DefinitionRead {
  const [first] = faults;
  const detail =
    first === undefined
      ? sentence("it cannot be read")
      : sentence("line {0}: {why}", { 0: first.line, why: first.message });
  return { ...fail("bad_definition", detail), faults };
}

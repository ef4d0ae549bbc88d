import { sentence, joinSentences, t } from "../../base/language.ts";
import { throughService } from "../service/service-access.ts";
import { cleanText, printedJson } from "../../base/text.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import type { HandoverDraft } from "../../continuity/continuity-answers.ts";
import {
  handoverIn,
  isHandoverId,
  maxDocumentSize,
  findAgentProgram,
  displayNameOf,
  handoverAgents,
  handoverWords,
  wordOf,
  type HandoverWord,
} from "../../continuity/handover.ts";
import path from "node:path";
import { readSmallText } from "../../base/files.ts";
import { purserPaths, belongsTo } from "../../base/paths.ts";
import { ownSession, sessionRoots } from "../../transcripts/agents.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { flag, jsonOf, oneOf, wrongUsage } from "../args.ts";
import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandInput } from "../declaration.ts";
import { styleFor } from "../style.ts";
import { handoverText, handoverToJson } from "./print-handover.ts";
import { startAgent, type AgentStart } from "./start-agent.ts";
import { asLine } from "../terminal-text.ts";
import { namedByStart } from "../../rules/named-by-start.ts";
import type { SessionSnapshot } from "../../sessions/snapshot.ts";
import { agentEnvironment } from "../../sessions/agent-environment.ts";
import { chosenSession, current } from "../sessions/self-check.ts";

export const handoverCommand = command({
  name: "handover",
  title: "hand a session's work over to another session or agent, as a document",
  words: "[ID] [--to AGENT] [--print | --json]",
  more: [{ words: "[ID] [--to AGENT] --start" }, { words: "[ID] --improve [--preview | --yes]" }],
  argument: { offers: "sessions" },
  terms: {
    ID: 'session ID; its start is enough, and "current" is the session that runs this command (default: the most recent session in this folder). Or a document, by its file or by its ID, such as h3f9c1a7e, with your changes to it',
  },
  options: {
    to: {
      ...oneOf(handoverWords, "AGENT", `${handoverWords.join(", ")} (default: the session's own agent)`),
      accepts: (text) => wordIn(text) !== null,
    },
    start: flag(
      "start that agent in the same folder and on the same branch, with the document as its first prompt; without a terminal, it works unattended and exits",
    ),
    improve: flag(
      "first have your own Claude Code summarize it, with one call of the model set as continuityImproveWith in ~/.purser/settings.json; the highest possible price is shown first",
    ),
    preview: flag("with --improve: print what would be sent, and exit"),
    yes: flag("with --improve: do not ask for confirmation"),
    print: flag("print the document"),
    json: jsonOf("handover"),
  },
  notes: `
The document is written to ~/.purser/handovers, named by its day and the work, where you can edit it: goal, done, open decisions, blockers,
files, next step, and more from the record. It contains nothing that looks like a secret. If the project has changed since, it says so when
opened again.
Agents are found in the PATH, or through PURSER_CLAUDE, PURSER_CODEX, PURSER_COPILOT and PURSER_GEMINI.
`,
  run,
});

async function run({ options: given, first }: CommandInput, host: CliHost): Promise<Result<number>> {
  const to = wordIn(given.value("to") ?? "");
  const [starts, prints, isJson, improves] = ["start", "print", "json", "improve"].map((name) =>
    given.has(name),
  );
  if ([starts, prints, isJson, improves].filter((each) => each === true).length > 1)
    return wrongUsage(sentence("only one of --start, --improve, --print and --json is possible"));
  const [isPreview, isAgreed] = [given.has("preview"), given.has("yes")];
  if ((isPreview || isAgreed) && improves !== true)
    return wrongUsage(sentence("--preview and --yes go with --improve"));
  const done = await throughService(host, async (service): Promise<Result<AgentStart | null>> => {
    const draft = await draftFor(
      { wanted: first === "" ? null : first, isPrinted: prints === true },
      service,
      host,
    );
    if (!draft.ok) return draft;
    if (starts === true) return await prepare(draft.value, to, service, host);
    if (improves === true) {
      const { improve } = await import("./improve.ts");
      const improved = await improve(draft.value, { isPreview, isAgreed }, service, host);
      if (!improved.ok || isPreview) return improved.ok ? succeed(null) : improved;
    }
    if (prints === true) {
      const { text } = draft.value;
      host.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
      host.stderr.write(`${cleanText(draft.value.file)}\n`);
    } else if (isJson === true) host.stdout.write(`${printedJson(handoverToJson(draft.value, to), 2)}\n`);
    else host.stdout.write(handoverText(draft.value, to, styleFor(host)));
    return succeed(null);
  });
  if (!done.ok) return done;
  if (done.value === null) return succeed(0);
  return await startAgent(done.value, host);
}

/** Also accepts an agent's whole name. */
function wordIn(text: string): HandoverWord | null {
  return handoverWords.find((word) => word === text) ?? wordOf(text);
}

async function draftFor(
  { wanted, isPrinted }: { readonly wanted: string | null; readonly isPrinted: boolean },
  service: Requester,
  host: CliHost,
): Promise<Result<HandoverDraft>> {
  if (wanted !== null && isHandoverId(wanted)) {
    const opened = await service.ask("handoverOpen", { id: wanted });
    return opened.ok ? succeed(opened.value.draft) : opened;
  }
  if (wanted?.endsWith(".md") === true) {
    const id = handoverIn(readSmallText(path.resolve(host.cwd, wanted), maxDocumentSize) ?? "");
    if (id === null)
      return fail(
        "no_document",
        sentence(
          "{0} is not the document of a handover; see the files in {1}",
          wanted,
          purserPaths(host).handovers,
        ),
      );
    const opened = await service.ask("handoverOpen", { id });
    return opened.ok ? succeed(opened.value.draft) : opened;
  }
  const session = await chosenSessionId(wanted, service, host);
  if (!session.ok) return session;
  // An agent reads everything that is printed in its session.
  const reader = isPrinted ? ownSession(host.env)?.id : undefined;
  const made = await service.ask("handoverMake", { session: session.value, reader });
  return made.ok ? succeed(made.value.draft) : made;
}

async function prepare(
  draft: HandoverDraft,
  to: HandoverWord | null,
  service: Requester,
  host: CliHost,
): Promise<Result<AgentStart>> {
  const word = to ?? wordOf(draft.program ?? "");
  if (word === null)
    return fail(
      "no_agent",
      sentence("cannot start {0}: choose an agent with --to", draft.program ?? t("an unknown agent")),
    );
  const { name: program, file } = await findAgentProgram(word, { env: host.env, platform: process.platform });
  if (file === null)
    return fail(
      "no_program",
      sentence(
        "{0} was not found (no {1} in the PATH). The document is {2}",
        displayNameOf(word),
        program,
        draft.file,
      ),
    );
  const started = await service.ask("handoverStart", { id: draft.id, to: handoverAgents[word].name });
  if (!started.ok) return started;
  const { changed, folder } = started.value.draft;
  if (changed.length > 0)
    host.stderr.write(
      `${t("The document is out of date, and says so: {0}.", asLine(joinSentences(changed, "; ")))}\n`,
    );
  const place = purserPaths(host).handovers;
  return succeed({ file, word, draft: started.value.draft, folder: folder ?? host.cwd, place });
}

/** An ID that the last week does not know is passed on: its transcript may still exist. `wanted` is null for the latest session in this folder. */
async function chosenSessionId(
  wanted: string | null,
  service: Requester,
  host: CliHost,
): Promise<Result<string>> {
  const { env, home } = host;
  const view = { roots: sessionRoots({ env, home }), env: agentEnvironment(env), folders: [] };
  const configured = await service.ask("configure", view);
  if (!configured.ok) return configured;
  const status = await service.ask("status", {});
  if (!status.ok) return status;
  const { sessions } = status.value;
  if (wanted !== null) {
    const isKnown = wanted === current || namedByStart(sessions, wanted, ({ id }) => id).kind !== "none";
    if (!isKnown) return succeed(wanted);
    const chosen = chosenSession(status.value, wanted, host);
    return chosen.ok ? succeed(chosen.value.id) : chosen;
  }
  const [last] = sessions.filter((session) => isOf(session, host.cwd));
  return last === undefined
    ? fail(
        "no_such_session",
        sentence("no session of the last week worked in this folder; give the ID of one"),
      )
    : succeed(last.id);
}

function isOf({ cwd, workingIn }: SessionSnapshot, folder: string): boolean {
  const { platform } = process;
  return [cwd, workingIn].some((one) => one !== null && belongsTo(one, [folder], { platform }));
}

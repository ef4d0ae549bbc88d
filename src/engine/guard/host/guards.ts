import { plainSentence, type Sentence } from "../../base/language.ts";
import path from "node:path";
import type { CallGuardPorts } from "../calls/calls-handler.ts";
import type { ChangedScriptPorts } from "../calls/changed-scripts.ts";
import { silentRules } from "../effect/silent-rules.ts";
import { RestingFormats } from "../net/resting-formats.ts";
import type { DeliveryPorts } from "../delivery.ts";
import type { WorkPorts } from "../work/work-handler.ts";
import type { LedgerEntry } from "../../ledger/entries.ts";
import type { FolderTrust } from "../../settings/folder-trust.ts";
import { createRuleJudge, type RuleJudgeInput } from "./create-rules.ts";
import { endedCallPorts, type EndedCallPorts } from "./after-calls.ts";
import { createFacts, type FactInput } from "./create-facts.ts";
import { createOutputGuard, type OutputFilePorts, type OutputGuardInput } from "./create-outputs.ts";
import type { WindowSettings } from "../../settings/shape.ts";
import type { LedgerHost } from "../../ledger/ledger-host.ts";
import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { errorCode } from "../../base/result.ts";
import type { ShellContext } from "../commands/invocation.ts";
import type { LimitPorts } from "../waste/limits-handler.ts";
import type { OutputGuardPorts } from "../output/output-handler.ts";
import type { WasteGuardPorts } from "../waste/waste-handler.ts";
import { agents } from "../../transcripts/agents.ts";

type Ports = Pick<
  WasteGuardPorts,
  "invocationsOf" | "textOf" | "sizeOf" | "findCallsInContext" | "dependenciesIn"
> &
  Pick<LimitPorts, "addLimit">;

/** Maximum size of a file in which unchanged lines are looked for. Bytes. */
const maxReadBytes = 2_000_000;
/** Folders of others' code that projects leave out of git. */
const dependencyFolders = ["node_modules", ".venv", "venv"];

function lookForWaste(contextOf: (folder: string | null) => ShellContext): Ports {
  return {
    invocationsOf: async (command, folder) => {
      const { readCommandLine } = await import("../catalogue/judge-all.ts");
      return readCommandLine(command, contextOf(folder));
    },
    addLimit: async (command, folder) => {
      const { addLimit } = await import("../catalogue/judge-all.ts");
      return addLimit(command, contextOf(folder));
    },
    textOf: async (file) => {
      const found = await lookAt(file);
      if (found?.isFile() !== true || found.size > maxReadBytes) return null;
      try {
        return await readFile(file, "utf8");
      } catch (error) {
        errorCode(error);
        return null;
      }
    },
    sizeOf: async (file) => {
      const found = await lookAt(file);
      return found?.isFile() === true ? found.size : null;
    },
    findCallsInContext: async (program, transcript, calls) => {
      const load = agents.find(({ name }) => name === program)?.findCallsInContext ?? null;
      return load === null ? new Set() : await (await load())(transcript, calls);
    },
    dependenciesIn: async (folder) => {
      // Without a project, git cannot search or list instead.
      if (contextOf(folder).project === null) return null;
      for (const name of dependencyFolders) {
        const found = await lookAt(path.join(folder, name));
        if (found?.isDirectory() === true) return name;
      }
      return null;
    },
  };
}

async function lookAt(name: string): Promise<Stats | null> {
  try {
    return await stat(name);
  } catch (error) {
    errorCode(error);
    return null;
  }
}

interface CallGuardInput extends RuleJudgeInput {
  readonly ledger: Pick<LedgerHost, "append" | "ask">;
}

interface GuardInput extends Omit<CallGuardInput, "onProblem">, OutputGuardInput, Pick<FactInput, "env"> {
  readonly home: CallGuardInput["home"] & OutputGuardInput["home"];
}

interface GuardPorts {
  /** Receives a window's folders. */
  readonly setWindow: (window: WindowSettings) => void;
  readonly trust: FolderTrust;
  /** Whether the user has excluded a text in a folder from a rule. */
  readonly isExcepted: DeliveryPorts["isExcepted"];
  /** Whether a rule's advice is silent. */
  readonly isSilent: DeliveryPorts["isSilent"];
  /** Whether a format of outputs is switched off for a command. */
  readonly isResting: OutputGuardPorts["isResting"];
  readonly record: (entries: readonly LedgerEntry[]) => void;
  readonly onProblem: (message: string) => void;
  /** Loads the rules, so that the first call is judged in time. */
  readonly prepare: () => Promise<void>;
  /** Loads which rules are silent. */
  readonly load: () => void;
  readonly calls: Pick<CallGuardPorts, "judge" | "contextOf"> & Pick<ChangedScriptPorts, "changedSince">;
  readonly outputs: OutputFilePorts;
  readonly ended: EndedCallPorts;
  /** Records the state of a session's turn, in the background. */
  readonly recordStates: WorkPorts["record"];
  readonly waste: ReturnType<typeof lookForWaste>;
  readonly facts: ReturnType<typeof createFacts>;
}

export function createGuards(input: GuardInput): GuardPorts {
  const onProblem = ({ text }: Sentence) => input.onProblem(text);
  const guards = createCallGuards({ ...input, onProblem, readsFiles: true });
  const { contextOf } = guards.calls;
  const outputs = createOutputGuard(input, contextOf);
  return { ...guards, outputs, facts: createFacts({ env: input.env, contextOf }) };
}

/** Creates the ports of the guards that only need the rules. */
export function createCallGuards(input: CallGuardInput): Omit<GuardPorts, "outputs" | "facts"> {
  const { clock, ledger } = input;
  const onProblem = (message: string) => input.onProblem(plainSentence(message));
  const { rules, folders, calls } = createRuleJudge(input);
  const { contextOf } = calls;
  const silent = silentRules({
    advice: async () => {
      const answer = await ledger.ask("guardEffects", clock.now());
      const sent = await ledger.ask("sentTexts", null);
      return answer.ok ? [...answer.value.advice, ...(sent.ok ? sent.value : [])] : null;
    },
    elapsed: () => performance.now(),
    onProblem,
  });
  const resting = new RestingFormats({
    saved: async () => {
      const answer = await ledger.ask("savedOutputs", 0);
      return answer.ok ? answer.value : null;
    },
    elapsed: () => performance.now(),
    onProblem,
  });
  const recorder = (what: string) => (entries: readonly LedgerEntry[]) => {
    ledger.append(entries).then(
      (done) => {
        if (!done.ok) onProblem(`Could not record ${what}: ${done.detail.text}`);
      },
      (error: unknown) => onProblem(`Could not record ${what}: ${String(error)}`),
    );
  };
  const isExcepted: DeliveryPorts["isExcepted"] = (rule, text, folder) =>
    rules.isExcepted(rule, text, contextOf(folder));
  return {
    setWindow: (window) => folders.report(window),
    trust: folders,
    isExcepted,
    // The user chose the rules that are named in the user's file.
    isSilent: (rule) => silent.has(rule) && !rules.isChosen(rule),
    isResting: (rule, command) => !rules.isChosen(rule) && resting.has(rule, command),
    record: recorder("what guard rules did"),
    recordStates: recorder("the state of a session"),
    onProblem,
    prepare: async () => {
      try {
        await rules.judge({ kind: "command", command: "true", shell: "posix" }, contextOf(null));
      } catch (error) {
        // Each call is then reported as not judged.
        onProblem(`The guards' code was not loaded: ${String(error)}`);
      }
    },
    load: () => {
      void silent.load();
      void resting.load();
    },
    calls,
    ended: endedCallPorts(contextOf, onProblem),
    waste: lookForWaste(contextOf),
  };
}

import { plainSentence, t } from "../../engine/base/language.ts";
import os from "node:os";
import * as vscode from "vscode";
import { aboutDollars, shortNumber, wholeNumber } from "../../engine/base/local-format.ts";
import { purserPaths } from "../../engine/base/paths.ts";
import { setOwnSettings } from "../../engine/hooks/own-settings.ts";
import { systemClock } from "../../engine/base/timing.ts";
import { fail, succeed, type Result } from "../../engine/base/result.ts";
import {
  withoutImprovement,
  withImprovement,
  askForImprovement,
  findOwnClaude,
  planImprovement,
  type AskedImprovement,
  type ImproverInput,
  type ImprovementPlan,
} from "../../engine/continuity/handover.ts";
import { showFailure } from "../editor/notices.ts";
import { inMessage, saidInMessage } from "../editor/outside-text.ts";
import { readEnvironment } from "../editor/settings.ts";
import type { Services } from "../services.ts";
/** Characters. */
const [maxReasonLength, maxModelLength] = [300, 40];

/** Documents with a running request to a model. Nobody pays twice for one summary. */
const asked = new Set<string>();

/**
 * Has the document in an editor summed up by the user's own agent, once the price was shown and agreed to. The summary is put into the
 * editor's text, so that undo takes it back.
 */
export async function improveHandover(
  id: string,
  document: vscode.TextDocument,
  { service, log }: Pick<Services, "service" | "log">,
): Promise<void> {
  if (asked.has(id)) return;
  asked.add(id);
  try {
    const improved = await improve(id, document, service);
    if (!improved.ok)
      await showFailure(
        log,
        t("The handover was not summarized: {0}", saidInMessage(improved.detail, maxReasonLength)),
      );
  } finally {
    asked.delete(id);
  }
}

async function improve(
  id: string,
  document: vscode.TextDocument,
  service: Pick<Services["service"], "ask">,
): Promise<Result<unknown>> {
  if (document.isDirty) await document.save();
  const read = await service.ask("handoverToImprove", { id });
  if (!read.ok) return read;
  const chosen = read.value.model === null ? await askForModel() : succeed(read.value.model);
  if (!chosen.ok || chosen.value === null) return chosen;
  const model = chosen.value;
  const program = await findOwnClaude({ env: readEnvironment(), platform: process.platform });
  if (!program.ok) return program;
  const input = { ...read.value, model };
  if (!(await isAgreed(planImprovement(input)))) return succeed(null);
  const answer = await askWithProgress(input, program.value);
  if (!answer.ok) return answer.reason === "cancelled" ? succeed(null) : answer;
  const { section } = answer.value;
  if (!(await change(document, (text) => withImprovement(text, section))))
    return fail("unwritable", plainSentence(t("the document could not be changed")));
  await showResult(answer.value, document);
  return succeed(null);
}

async function isAgreed({ model, input, output, usd }: ImprovementPlan): Promise<boolean> {
  const ask = t("Ask Once");
  const price =
    usd === null ? t("Its price is not known.") : t("At most {0} at list prices.", aboutDollars(usd));
  const detail = [
    t("About {0} tokens in, at most {1} out. {2}", shortNumber(input), wholeNumber(output), price),
    t("Only the document is sent, by your own Claude Code. The summary is put first; Undo takes it back."),
  ].join("\n\n");
  const question = t("Summarize this handover with {0}?", inMessage(model, maxModelLength));
  return (await vscode.window.showInformationMessage(question, { modal: true, detail }, ask)) === ask;
}

async function askWithProgress(input: ImproverInput, program: string): Promise<Result<AskedImprovement>> {
  const title = t("{0} summarizes the handover…", inMessage(input.model, maxModelLength));
  const location = vscode.ProgressLocation.Notification;
  return await vscode.window.withProgress({ location, title, cancellable: true }, async (_, token) => {
    const stop = new AbortController();
    token.onCancellationRequested(() => stop.abort());
    const { askClaude } = await import("../../engine/bench/ask-claude.ts");
    const [env, userHome, scratch] = [readEnvironment(), os.homedir(), os.tmpdir()];
    const ports = { program, env, userHome, scratch, clock: systemClock };
    return await askForImprovement(
      input,
      (question, signal) => askClaude(question, ports, signal),
      stop.signal,
    );
  });
}

/** Edits made during the request stay: the text is read at the last moment. */
async function change(document: vscode.TextDocument, made: (text: string) => string): Promise<boolean> {
  const text = document.getText();
  const edit = new vscode.WorkspaceEdit();
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(text.length));
  edit.replace(document.uri, whole, made(text));
  return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}

async function showResult(
  { model, tokens, usd, unknown }: AskedImprovement,
  document: vscode.TextDocument,
): Promise<void> {
  const name = inMessage(model, maxModelLength);
  const price = usd === null ? "" : ` (${aboutDollars(usd)})`;
  const done = t("{0} summarized the handover, for {1} tokens{2}.", name, wholeNumber(tokens), price);
  const names = inMessage(unknown.join(", "), maxReasonLength);
  const doubt = t("Its summary names what the record does not: {0}.", names);
  const back = t("Remove Summary");
  const chosen =
    unknown.length === 0
      ? await vscode.window.showInformationMessage(done, back)
      : await vscode.window.showWarningMessage(`${done} ${doubt}`, back);
  if (chosen === back) await change(document, withoutImprovement);
}

/** Asks which model may summarize handovers, and stores it. Null if the user gives none. */
async function askForModel(): Promise<Result<string | null>> {
  const answer = await vscode.window.showInputBox({
    title: t("Summarize Handovers"),
    prompt: t("With which model of your own Claude Code? It is kept in ~/.purser/settings.json."),
    value: "claude-haiku-4-5",
    ignoreFocusOut: true,
  });
  const model = answer?.trim() ?? "";
  if (model === "") return succeed(null);
  const paths = purserPaths({ env: readEnvironment(), home: os.homedir() });
  const stored = setOwnSettings([{ place: ["continuityImproveWith"], value: model }], paths);
  return stored.ok ? succeed(model) : stored;
}

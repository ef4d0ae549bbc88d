import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The id of its item in the status bar, which is there once the chat can be used. */
export const readyId = "lamp.ready";

/** The model that is chosen when the chat opens, as VS Code names it. */
export const chosenModel = { identifier: "lamp/small", window: 111_000 + 17_000 };

const manifest = {
  name: "lamp",
  publisher: "harbor",
  version: "1.0.0",
  engines: { vscode: "^1.100.0" },
  main: "./main.js",
  activationEvents: ["onStartupFinished"],
  enabledApiProposals: [
    "defaultChatParticipant",
    "chatParticipantAdditions",
    "chatParticipantPrivate",
    "chatProvider",
  ],
  contributes: {
    // One for each mode: a chat opens in the mode that was used last.
    chatParticipants: ["ask", "agent"].map((mode) => ({
      id: `harbor.lamp-${mode}`,
      name: `lamp-${mode}`,
      fullName: "Lamp",
      description: "Reports the usage that it is asked to report",
      isDefault: true,
      locations: ["panel"],
      modes: [mode],
    })),
    languageModelChatProviders: [{ vendor: "lamp", displayName: "Lamp" }],
    commands: [{ command: "lamp.ask", title: "Lamp: Ask" }],
  },
};

/** Reports usage for each pair of numbers in a prompt, as an agent does after each call of its model. */
const program = `
const vscode = require("vscode");
const models = [
  { id: "small", name: "Small", maxInputTokens: 111000, maxOutputTokens: 17000, isDefault: true },
  { id: "large", name: "Large", maxInputTokens: 222000, maxOutputTokens: 33000 },
];
exports.activate = (context) => {
  const provider = {
    provideLanguageModelChatInformation: async () =>
      models.map((model) => ({
        ...model, family: model.id, version: "1", capabilities: { toolCalling: true }, isUserSelectable: true,
      })),
    provideLanguageModelChatResponse: async () => undefined,
    provideTokenCount: async (_, text) => String(text).length,
  };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("lamp", provider),
    ...["ask", "agent"].map((mode) =>
      vscode.chat.createChatParticipant("harbor.lamp-" + mode, (request, _, stream) => {
        for (const [, prompt, completion] of request.prompt.matchAll(/(\\d+) (\\d+)/gu))
          stream.usage({ promptTokens: Number(prompt), completionTokens: Number(completion) });
        stream.markdown("reported " + request.prompt);
      }),
    ),
    vscode.commands.registerCommand("lamp.ask", async () => {
      const query = await vscode.window.showInputBox({ prompt: "What to report" });
      await vscode.commands.executeCommand("workbench.action.chat.open", { query });
    }),
  );
  // VS Code refuses a request as long as it does not know the models.
  const item = vscode.window.createStatusBarItem("${readyId}", vscode.StatusBarAlignment.Left);
  item.text = "Lamp";
  context.subscriptions.push(item);
  vscode.lm.selectChatModels({ vendor: "lamp" }).then(() => item.show());
};
`;

/** Writes an extension with a chat participant and two models; returns its folder. */
export async function writeChatExtension(root: string): Promise<string> {
  const folder = join(root, "lamp");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "main.js"), program);
  return folder;
}

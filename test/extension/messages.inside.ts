import assert from "node:assert/strict";
import * as vscode from "vscode";
import { succeed } from "../../src/engine/base/result.ts";
import type { MessageQuestion } from "../../src/engine/hooks/message-requests.ts";
import { registerMessages } from "../../src/extension/messages/messages-notices.ts";
import { eventually, test } from "./harness.ts";
import { FakeConnection } from "./support/fake-connection.ts";
import { workspaceFolder } from "./support/inside-session.ts";

const question: MessageQuestion = {
  id: "toolu_1",
  sessionId: "s",
  cwd: "/home/dev/harbor",
  from: "frontend",
  to: "backend",
  text: "Which port does the API have?",
  chars: 29,
  at: 0,
  answerUntil: Number.MAX_SAFE_INTEGER,
};

/** Records what the window sends to a service that holds messages. */
function holding() {
  const answers: string[] = [];
  const followed: string[][] = [];
  const service = new FakeConnection({
    messagesFollow: ({ folders }) => {
      followed.push(folders);
      return succeed({});
    },
    messageAnswer: ({ id, decision }) => {
      answers.push(`${id} ${decision}`);
      return succeed({ isTaken: true });
    },
  });
  return { answers, followed, service };
}

test("asks about a held message between agents, and sends the approval to the service", async () => {
  const { answers, followed, service } = holding();
  const log = vscode.window.createOutputChannel("Messages", { log: true });
  const registered = registerMessages({ service, log });
  try {
    assert.deepEqual(followed, [[workspaceFolder()]]);
    await vscode.commands.executeCommand("notifications.clearAll");
    service.notices.messageAsked.fire(question);
    service.notices.messageAsked.fire(question);
    // The notification's primary button.
    await eventually("the answer", async () => {
      await vscode.commands.executeCommand("notification.acceptPrimaryAction");
      return answers[0];
    });
    await vscode.commands.executeCommand("notification.acceptPrimaryAction");
    assert.deepEqual(answers, ["toolu_1 allow"], "it is asked about once, for any number of reports");
  } finally {
    registered.dispose();
    log.dispose();
    await vscode.commands.executeCommand("notifications.clearAll");
  }
});

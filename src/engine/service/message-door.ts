import type { Disposable } from "../base/disposable.ts";
import { fail, succeed } from "../base/result.ts";
import type { MessageDesk } from "./message-desk.ts";
import { messageAnswer, messageAsked, messagesFollow, messageSettled } from "./message-protocol.ts";
import type { Peer } from "./peer.ts";

/** Lets one client ask its user about messages between agents, until it is let go. */
export function answerOfMessages(peer: Peer, desk: MessageDesk | undefined): Disposable {
  let following: Disposable | undefined;
  const letGo = () => {
    following?.dispose();
    following = undefined;
  };
  const none = fail("no_messages", "this service answers no hooks");
  peer.answer(messagesFollow, ({ folders }) => {
    if (desk === undefined) return none;
    letGo();
    if (folders.length > 0)
      following = desk.follow(folders, {
        asked: (question) => void peer.tell(messageAsked, question),
        settled: (settlement) => void peer.tell(messageSettled, settlement),
      });
    return succeed({});
  });
  peer.answer(messageAnswer, ({ id, decision }) =>
    desk === undefined ? none : succeed({ isTaken: desk.answer(id, decision) }),
  );
  return { dispose: letGo };
}

import { t } from "../../../engine/base/language.ts";

/** Returns the text of a new `~/.purser/guard.yaml`: all of it is a comment, so that it changes nothing. */
export function rulesTemplate(): string {
  return `# ${t("Your guard rules. Saved, this file is read at once; a fault is shown at its line, and the last good rules stay.")}
# ${t("purser guard list tells all rules, purser guard test --file FILE tries them on commands.")}

# ${t("What rules that come with purser do instead: off, advise, ask or deny.")}
# set:
#   delete-home: deny

# ${t('Calls on which a rule does not fire. "like" is found in the command or file; "folder" and "until" are not needed.')}
# exceptions:
#   - rule: delete-outside-project
#     like: ^rm -rf /srv/cache
#     folder: ~/shop
#     until: 2027-01-31

# ${t("Rules of your own.")}
# rules:
#   - id: no-deploy-by-hand
#     match: [{ program: make, words: deploy }]
#     message: This deploys to the shop that customers use.
#     remedy: Open a pull request; it is deployed when merged.
#     action: ask
#     fires: [make deploy]
#     passes: [make test]
`;
}

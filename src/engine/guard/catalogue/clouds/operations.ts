import type { GuardRule } from "../../calls/rule.ts";

/** Rules on programs that operate many machines, and keep their secrets: Ansible, Vault, Consul, Nomad, Packer. */
export const operationsRules: readonly GuardRule[] = [
  {
    id: "ansible-delete-on-all",
    family: "safety",
    match: [
      {
        program: "ansible",
        value: {
          of: "-m|--module-name",
          like: "(?:ansible\\.builtin\\.)?(?:file|user|package|apt|yum|dnf|service|mount|lvol|filesystem|parted)",
        },
        text: "\\bstate=(?:absent|removed)\\b|\\bforce=(?:yes|true)\\b",
        without: "-C|--check",
      },
      {
        program: "ansible",
        value: {
          of: "-m|--module-name",
          like: "(?:ansible\\.builtin\\.|community\\.general\\.)?(?:reboot|shutdown)",
        },
        without: "-C|--check",
      },
      {
        program: "salt",
        text: "\\b(?:cmd\\.run|system\\.(?:reboot|shutdown|poweroff)|file\\.remove|pkg\\.(?:remove|purge)|state\\.highstate)\\b.*",
        without: "--test",
        notText: "test=true",
      },
      {
        program: "knife",
        words:
          "node delete|node bulk delete|client bulk delete|environment delete|role bulk delete|cookbook bulk delete|data bag delete",
      },
    ],
    message: "This deletes, removes or restarts something on every machine of the group.",
    remedy: "Add `--check`, and `--limit` to one machine first.",
    fires: [
      "ansible all -m file -a 'path=/srv/data state=absent'",
      "sudo ansible web -i prod -m reboot -b",
      "salt '*' cmd.run 'rm -rf /srv'",
    ],
    passes: [
      "ansible all -m ping",
      "ansible all -m file -a 'path=/srv state=absent' --check",
      "ansible web -m service -a 'name=nginx state=started'",
    ],
  },
  {
    id: "ansible-vault-decrypt",
    family: "secrets",
    match: [
      { program: "ansible-vault", words: "decrypt|view" },
      { program: "sops", flags: ["-d|--decrypt"], without: "-i|--in-place|--output", shown: "whole" },
      { program: "sops", words: "decrypt", shown: "whole" },
      { program: "helm", words: "secrets decrypt|secrets view" },
      { program: "kubeseal", flags: ["--recovery-unseal"] },
      { program: "age|rage", flags: ["-d|--decrypt"], without: "-o|--output" },
    ],
    message: "The secrets of the file become part of the conversation, or stand in plain text on the disk.",
    remedy: "Use `ansible-vault edit` or `sops edit` by hand, and let the program decrypt by itself.",
    fires: [
      "ansible-vault view group_vars/prod/vault.yml",
      "bash -c 'sops -d secrets.enc.yaml'",
      "ansible-vault decrypt secrets.yml --vault-password-file p",
    ],
    passes: [
      "ansible-vault encrypt secrets.yml",
      "sops -e secrets.yaml",
      "ansible-playbook site.yml --ask-vault-pass",
    ],
  },
  {
    id: "vault-delete",
    family: "safety",
    match: [
      {
        program: "vault|bao",
        words:
          "delete|kv delete|kv destroy|kv metadata delete|policy delete|namespace delete|plugin deregister",
      },
      { program: "vault|bao", words: "secrets disable|auth disable|audit disable|secrets move" },
      { program: "vault|bao", words: "lease revoke|token revoke", flags: ["-prefix|-force|-mode|-accessor"] },
    ],
    message:
      "This deletes secrets, a whole engine of them, or the ways to log in; programs that read them fail.",
    remedy: "Write a new version instead, and use `vault kv delete` only on what nobody reads.",
    fires: [
      "vault secrets disable secret/",
      "sudo vault -address=https://v kv metadata delete secret/shop",
      "vault lease revoke -prefix aws/",
    ],
    passes: [
      "vault secrets list",
      "vault kv list secret/",
      "vault kv undelete -versions=1 secret/shop",
      "vault status",
    ],
  },
  {
    id: "vault-seal",
    family: "safety",
    match: [
      {
        program: "vault|bao",
        words:
          "operator seal|operator rekey|operator rotate|operator generate-root|operator step-down|operator migrate|operator init",
      },
      {
        program: "vault|bao",
        words: "operator raft",
        operand: { like: "remove-peer|snapshot" },
        text: "remove-peer|snapshot restore",
      },
    ],
    message: "This closes the store for everybody, or changes the keys that open it.",
    remedy: "Leave it to the people who hold its keys.",
    fires: [
      "vault operator seal",
      "ssh vault1 'vault operator rekey -init'",
      "vault operator raft remove-peer node2",
    ],
    passes: ["vault status", "vault operator raft list-peers", "vault operator raft snapshot save x.snap"],
  },
  {
    id: "vault-read-secret",
    family: "secrets",
    match: [
      {
        program: "vault|bao",
        words: "kv get|read|unwrap",
        without: "-h",
        notText: "^(?:\\S+ )*(?:read (?:sys|auth)/|read -format=json (?:sys|auth)/)",
      },
      { program: "vault|bao", words: "print token|token create" },
    ],
    message: "The secret's value becomes part of the conversation.",
    remedy: "Let the program read it by itself; look only at its name with `vault kv list`.",
    fires: [
      "vault kv get secret/shop",
      "bash -c 'vault kv get -field=password secret/db'",
      "vault read database/creds/shop",
    ],
    passes: [
      "vault kv list secret/",
      "vault kv metadata get secret/shop",
      "vault read sys/health",
      "vault token lookup",
    ],
  },
  {
    id: "consul-delete",
    family: "safety",
    match: [
      { program: "consul", words: "kv delete", flags: ["-recurse|--recurse"] },
      {
        program: "consul",
        words:
          "snapshot restore|leave|force-leave|operator raft remove-peer|acl policy delete|acl token delete|acl role delete|namespace delete|partition delete|config delete",
      },
      { program: "consul", words: "operator raft", operand: { like: "remove-peer" } },
    ],
    message: "This deletes many keys or rights at once, or takes a server out of the cluster.",
    remedy: "Save a snapshot with `consul snapshot save`, and delete single keys.",
    fires: ["consul kv delete -recurse shop/", "ssh c1 consul snapshot restore old.snap"],
    passes: [
      "consul kv get shop/flag",
      "consul kv delete shop/flag",
      "consul members",
      "consul snapshot save x.snap",
    ],
  },
  {
    id: "nomad-purge",
    family: "safety",
    match: [
      { program: "nomad", words: "job stop|stop", flags: ["-purge|--purge|-global|--global"] },
      {
        program: "nomad",
        words:
          "namespace delete|var purge|volume delete|volume deregister|acl token delete|acl policy delete|operator snapshot restore|operator raft remove-peer|node pool delete|quota delete|job stop -purge",
      },
      {
        program: "nomad",
        words: "node drain",
        flags: ["-enable|--enable"],
        text: "-force\\b|-deadline[ =]0",
      },
    ],
    message: "This deletes jobs, volumes or rights of the cluster with their history.",
    remedy: "Stop the one job without `-purge`, so that it can be started again.",
    fires: [
      "nomad job stop -purge web",
      "sudo nomad -address=http://n:4646 namespace delete shop",
      "nomad volume delete data",
    ],
    passes: ["nomad job status web", "nomad job plan web.nomad", "nomad job stop web", "nomad var list"],
  },
  {
    id: "packer-replace-image",
    family: "safety",
    action: "advise",
    match: [{ program: "packer", words: "build", flags: ["-force|--force"] }],
    message: "An image of the same name is deleted before the new one is known to work.",
    remedy: "Give the image a new name, with the date or the commit.",
    fires: ["packer build -force web.pkr.hcl", "sudo packer build -var v=1 -force ."],
    passes: ["packer build web.pkr.hcl", "packer validate .", "packer init ."],
  },
];

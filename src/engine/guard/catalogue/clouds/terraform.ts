import type { GuardRule } from "../../calls/rule.ts";

const terraform = "terraform|tofu|terragrunt";
/** Options with which terraform asks nobody. */
const approved = "-auto-approve|--auto-approve|--terragrunt-non-interactive|--non-interactive";

/** Rules on what describes infrastructure and makes it so: Terraform, Pulumi, CDK and their like. */
export const terraformRules: readonly GuardRule[] = [
  {
    id: "terraform-destroy",
    family: "safety",
    match: [
      {
        program: terraform,
        words:
          "destroy|run-all destroy|run destroy|destroy-all|run --all destroy|stack run destroy|apply-all destroy",
      },
      { program: terraform, words: "apply|run-all apply", flags: ["-destroy|--destroy"] },
      { program: "cdktf", words: "destroy" },
    ],
    message: "This deletes everything that the configuration describes.",
    remedy: "Read `terraform plan -destroy` first, and let a person run it.",
    fires: [
      "terraform destroy",
      "terraform -chdir=infra destroy -auto-approve",
      "bash -c 'tofu apply -destroy'",
      "aws-vault exec prod -- terragrunt run-all destroy",
    ],
    passes: ["terraform plan -destroy", "terraform plan -out=tfplan", "grep -r destroy infra/"],
  },
  {
    id: "terraform-apply-unseen",
    family: "safety",
    match: [
      { program: terraform, words: "apply|run-all apply|apply-all", flags: [approved] },
      {
        program: "env|export|declare|typeset",
        operand: { like: "TF_CLI_ARGS(?:_apply|_destroy)?=(?:.* )?-?-auto-approve.*" },
      },
    ],
    message: "This changes or deletes infrastructure without anybody having read the plan.",
    remedy: "Run `terraform plan -out=tfplan`, show it, and apply that file.",
    fires: [
      "terraform apply -auto-approve",
      "sudo tofu -chdir=infra apply --auto-approve",
      "terraform apply -auto-approve=true -var env=prod",
      "TF_CLI_ARGS_apply=-auto-approve terraform apply",
      "declare -x TF_CLI_ARGS_apply=-auto-approve; terraform apply",
      "export TF_CLI_ARGS='-lock=false -auto-approve'",
    ],
    passes: [
      "terraform apply tfplan",
      "TF_CLI_ARGS_plan=-parallelism=4 terraform plan",
      "terraform apply",
      "terraform plan -out=tfplan",
      "terraform validate",
    ],
  },
  {
    id: "terraform-edit-state",
    family: "safety",
    match: [
      { program: terraform, words: "state rm|state remove|state push" },
      { program: terraform, words: "workspace delete|workspace remove" },
    ],
    message: "Terraform forgets what it has made: it will be made again, or never be deleted.",
    remedy: "Keep a copy with `terraform state pull > backup.tfstate`, and use a `removed` block.",
    fires: [
      "terraform state rm aws_db_instance.shop",
      "bash -c 'terraform -chdir=infra state push local.tfstate'",
      "tofu workspace delete -force prod",
      "terraform workspace delete staging",
    ],
    passes: [
      "terraform state list",
      "terraform state show aws_db_instance.shop",
      "terraform workspace select dev",
      "terraform workspace list",
    ],
  },
  {
    id: "terraform-move-state",
    family: "safety",
    action: "advise",
    match: [
      { program: terraform, words: "state mv|state replace-provider" },
      { program: terraform, words: "taint" },
      { program: terraform, words: "apply|plan", value: { of: "-lock|--lock", like: "false" } },
      { program: terraform, words: "apply", flags: ["-replace|--replace"] },
    ],
    message: "The next apply may delete a resource and make it again, or collide with another one.",
    remedy: "Write a `moved` block, and read the plan before you apply it.",
    fires: [
      "terraform taint aws_instance.web",
      "sudo terraform state mv a.b c.d",
      "terraform apply -lock=false",
    ],
    passes: [
      "terraform state list",
      "terraform plan -replace=aws_instance.web",
      "terraform untaint aws_instance.web",
    ],
  },
  {
    id: "terraform-force-unlock",
    family: "safety",
    match: [{ program: terraform, words: "force-unlock" }],
    message: "If somebody else is applying at this moment, the state is damaged.",
    remedy: "Ask who holds the lock; its message names them.",
    fires: ["terraform force-unlock 1234", "bash -c 'cd infra && tofu force-unlock -force 1234'"],
    passes: ["terraform plan -lock-timeout=60s", "terraform init"],
  },
  {
    id: "terraform-delete-state",
    family: "safety",
    match: [
      {
        program: "rm|unlink|shred|trash",
        operand: { like: "(?:.*/)?(?:[\\w.-]+\\.)?tfstate(?:\\.backup|\\.d|\\*)?|(?:.*/)?\\*\\.tfstate\\*?" },
      },
      { program: "find", text: "tfstate\\S* .*(?:-delete|-exec(?:dir)? +rm)\\b" },
      { program: "aws", words: "s3 rm", operand: { like: "s3://.*tfstate.*" } },
      {
        program: "*",
        writes: { like: "(?:.*/)?[\\w.-]+\\.tfstate", truncates: true },
        notText: "^state pull",
      },
    ],
    message: "Without its state Terraform no longer knows what it has made, and cannot delete or change it.",
    remedy: "Keep a copy, and use `terraform state rm` for a single resource.",
    fires: ["rm terraform.tfstate", "sudo rm -f infra/terraform.tfstate*", "echo '{}' > terraform.tfstate"],
    passes: [
      "cat terraform.tfstate",
      "rm -rf .terraform",
      "cp terraform.tfstate /tmp/copy",
      "terraform show terraform.tfstate",
    ],
  },
  {
    id: "terraform-write-state",
    family: "protect",
    match: [{ tool: "edit", like: ".*\\.tfstate(?:\\.backup)?" }],
    message: "A state that is edited by hand no longer says what there is.",
    remedy: "Use `terraform state mv`, `terraform import` or `moved` blocks.",
    fires: ["Edit(/home/ann/shop/terraform.tfstate)", "Write(infra/prod.tfstate) <<< {}"],
    passes: ["Edit(/home/ann/shop/main.tf)", "Read(/home/ann/shop/terraform.tfstate)"],
  },
  {
    id: "terraform-read-state",
    family: "secrets",
    action: "advise",
    match: [
      { program: terraform, words: "state pull" },
      {
        program: terraform,
        words: "output",
        flags: ["-raw|-json"],
        operand: { like: "(?i).*(?:password|passwd|secret|token|private_?key|api_?key).*" },
        shown: "part",
      },
    ],
    message: "The state has passwords and keys in plain text, which become part of the conversation.",
    remedy: "Use `terraform state list`, and `state show` for one resource.",
    fires: [
      "terraform state pull",
      "terraform output -raw db_password",
      "ssh ci 'cd infra && tofu state pull'",
    ],
    passes: [
      "terraform state list",
      "terraform output",
      "terraform output -raw vpc_id",
      "DB=$(terraform output -raw db_password) npm start",
    ],
  },
  {
    id: "pulumi-destroy",
    family: "safety",
    match: [
      { program: "pulumi", words: "destroy|down", without: "--preview-only" },
      { program: "pulumi", words: "stack rm|stack remove|stack import|state delete|org delete" },
      { program: "pulumi", words: "env rm|env remove" },
    ],
    message: "This deletes everything in the stack, or what Pulumi knows of it.",
    remedy: "Look with `pulumi destroy --preview-only`, and protect what must stay.",
    fires: [
      "pulumi destroy --yes --stack prod",
      "sudo pulumi -C infra stack rm prod --force",
      "pulumi state delete 'urn:pulumi:x'",
    ],
    passes: ["pulumi preview", "pulumi stack ls", "pulumi destroy --preview-only", "pulumi stack output"],
  },
  {
    id: "pulumi-update-unseen",
    family: "safety",
    match: [{ program: "pulumi", words: "up|update", flags: ["-y|--yes|-f|--skip-preview"] }],
    message: "This changes or deletes infrastructure without anybody having read the preview.",
    remedy: "Run `pulumi preview --diff`, show it, and let a person confirm.",
    fires: ["pulumi up --yes", "bash -c 'pulumi up -y -s prod'", "pulumi update --skip-preview"],
    passes: ["pulumi up", "pulumi preview --diff", "pulumi refresh --preview-only"],
  },
  {
    id: "pulumi-force-state",
    family: "safety",
    action: "advise",
    match: [
      { program: "pulumi", words: "cancel|state unprotect|state repair|state move" },
      { program: "pulumi", words: "refresh", flags: ["-y|--yes|-f|--skip-preview"] },
    ],
    message: "This interrupts somebody's update, or changes what Pulumi knows and protects.",
    remedy: "Ask who is updating, and export the stack first.",
    fires: ["pulumi cancel --yes", "sudo pulumi state unprotect --all", "pulumi refresh -y"],
    passes: ["pulumi refresh --preview-only", "pulumi stack export --file backup.json"],
  },
  {
    id: "pulumi-read-secret",
    family: "secrets",
    match: [
      {
        program: "pulumi",
        words: "config|stack output|stack export|stack history|stack",
        flags: ["--show-secrets"],
      },
      { program: "pulumi", words: "config get", operand: { like: "(?i).*(?:password|secret|token|key).*" } },
    ],
    message: "The stack's secrets become part of the conversation.",
    remedy: "Leave `--show-secrets` out: the names are shown without it.",
    fires: [
      "pulumi config --show-secrets",
      "bash -c 'pulumi stack output --show-secrets --json'",
      "pulumi config get dbPassword",
    ],
    passes: ["pulumi config", "pulumi stack output", "pulumi config get aws:region"],
  },
  {
    id: "cdk-destroy",
    family: "safety",
    match: [
      { program: "cdk|cdklocal", words: "destroy|gc" },
      { program: "serverless|sls", words: "remove" },
      { program: "sst", words: "remove" },
      { program: "chalice", words: "delete" },
      { program: "zappa", words: "undeploy" },
      { program: "arc", words: "destroy" },
      { program: "up", words: "stack delete" },
      { program: "alchemy", words: "destroy" },
      { program: "nitric", words: "down" },
      { program: "wing", words: "destroy" },
    ],
    message: "This deletes everything that was deployed, with its tables and buckets.",
    remedy: "Look with `cdk diff`, and give what keeps data a policy to retain it.",
    fires: [
      "cdk destroy --all --force",
      "npx cdk destroy ShopStack",
      "serverless remove --stage prod",
      "pnpm sst remove --stage production",
    ],
    passes: ["cdk diff", "npx cdk deploy", "serverless deploy", "sls info", "cdk list"],
  },
  {
    id: "cdk-deploy-unseen",
    family: "safety",
    action: "advise",
    match: [
      { program: "cdk", words: "deploy", text: "--require-approval[ =]never\\b|--force\\b" },
      { program: "sam", words: "deploy", flags: ["--no-confirm-changeset"] },
      { program: "eksctl|kops", words: "update cluster|upgrade cluster", flags: ["--approve|--yes"] },
    ],
    message: "Changes to rights and networks are deployed without anybody having read them.",
    remedy: "Read `cdk diff` first, and leave the approval on.",
    fires: ["cdk deploy --all --require-approval never", "bash -c 'npx cdk deploy --require-approval=never'"],
    passes: ["cdk deploy", "cdk deploy --require-approval broadening", "sam deploy --guided"],
  },
];

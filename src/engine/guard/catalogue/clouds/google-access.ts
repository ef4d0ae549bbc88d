import type { GuardRule } from "../../calls/rule.ts";
import { tracks } from "./release-tracks.ts";

const innerPorts = "(?:tcp:)?(?:22|3306|3389|5432|5900|6379|9200|27017|0-65535)\\b";

/** Rules on who may do what at Google: keys, secrets, public access and protection. */
export const googleAccessRules: readonly GuardRule[] = [
  {
    id: "gcloud-make-public",
    family: "safety",
    match: [
      {
        program: "gcloud",
        value: { of: "--member", like: "all(?:Authenticated)?Users" },
        text: "(?:add|set)-iam-policy",
      },
      {
        program: "gcloud",
        text: "--add-acl-grant[ =]\\S*entity=all(?:Authenticated)?Users|--predefined-acl[ =]public|--no-public-access-prevention",
      },
      { program: "gsutil", words: "iam ch", text: "\\ball(?:Authenticated)?Users:" },
      { program: "gsutil", words: "acl ch|defacl ch", text: "\\ball(?:Authenticated)?Users:" },
      { program: "gsutil", words: "acl set|defacl set", operand: { like: "public-read(?:-write)?" } },
    ],
    message: "Everybody on the internet can then reach it.",
    remedy: "Name the accounts that need it, or hand out signed links.",
    fires: [
      "gcloud storage buckets add-iam-policy-binding gs://shop --member=allUsers --role=roles/storage.objectViewer",
      "sudo gsutil iam ch allUsers:objectViewer gs://shop",
      "gsutil acl set public-read gs://shop/a",
    ],
    passes: [
      "gcloud storage buckets add-iam-policy-binding gs://shop --member=user:ann@example.com --role=roles/storage.objectViewer",
      "gsutil iam get gs://shop",
    ],
  },
  {
    id: "gcloud-grant-owner",
    family: "safety",
    match: [
      {
        program: "gcloud",
        text: "add-iam-policy-binding",
        value: {
          of: "--role",
          like: "roles/(?:owner|editor|iam\\.securityAdmin|resourcemanager\\.organizationAdmin)",
        },
      },
      {
        program: "gcloud",
        words: tracks(
          "projects set-iam-policy",
          "organizations set-iam-policy",
          "resource-manager folders set-iam-policy",
        ),
      },
    ],
    message: "This gives an account power over everything, or replaces who may do what.",
    remedy: "Add one binding with the smallest role that is enough.",
    fires: [
      "gcloud projects add-iam-policy-binding shop --member=user:ann@example.com --role=roles/owner",
      "sudo gcloud projects set-iam-policy shop policy.json",
    ],
    passes: [
      "gcloud projects add-iam-policy-binding shop --member=user:ann@example.com --role=roles/viewer",
      "gcloud projects get-iam-policy shop",
    ],
  },
  {
    id: "gcloud-create-key",
    family: "secrets",
    match: [
      {
        program: "gcloud",
        words: tracks(
          "iam service-accounts keys create",
          "services api-keys create",
          "services api-keys get-key-string",
        ),
      },
      { program: "gsutil", words: "hmac create" },
    ],
    message: "This makes or shows a key that never ends.",
    remedy: "Use `--impersonate-service-account` or workload identity instead of a key.",
    fires: [
      "gcloud iam service-accounts keys create key.json --iam-account ci@shop.iam.gserviceaccount.com",
      "bash -c 'gsutil hmac create ci@shop.iam.gserviceaccount.com'",
    ],
    passes: [
      "gcloud iam service-accounts keys list --iam-account x",
      "gcloud iam service-accounts create ci",
    ],
  },
  {
    id: "gcloud-read-secret",
    family: "secrets",
    match: [{ program: "gcloud", words: tracks("secrets versions access") }],
    message: "The secret's value becomes part of the conversation.",
    remedy: "Let the program read it by itself; look only at its name.",
    fires: [
      "gcloud secrets versions access latest --secret=db",
      "ssh ops 'gcloud --project shop secrets versions access 3 --secret db'",
    ],
    passes: ["gcloud secrets list", "gcloud secrets versions list db"],
  },
  {
    id: "gcloud-disable-protection",
    family: "safety",
    match: [
      {
        program: "gcloud",
        flags: [
          "--no-deletion-protection|--no-backup|--no-enable-point-in-time-recovery|--no-versioning|--no-enable-drop-protection|--clear-retention-period|--clear-soft-delete",
        ],
        text: "(?:update|patch)\\b",
      },
      { program: "gsutil", words: "versioning set", operand: { like: "off" } },
      { program: "gsutil", words: "retention clear" },
    ],
    message: "This turns off what keeps the resource or its data from being lost.",
    remedy: "Leave the protection on, and let a person turn it off where that is wanted.",
    fires: [
      "gcloud sql instances patch shop --no-deletion-protection",
      "sudo gsutil versioning set off gs://shop",
    ],
    passes: ["gcloud sql instances patch shop --deletion-protection", "gsutil versioning get gs://shop"],
  },
  {
    id: "gcloud-open-port",
    family: "safety",
    match: [
      {
        program: "gcloud",
        text: `firewall-rules (?:create|update)\\b.*--(?:allow|rules)[ =](?:all\\b|tcp\\b(?:[ ,]|$)|${innerPorts}|\\S*,${innerPorts})`,
        value: { of: "--source-ranges", like: "(?:.*,)?(?:0\\.0\\.0\\.0/0|::/0)(?:,.*)?" },
      },
      {
        program: "gcloud",
        words: tracks("sql instances patch", "sql instances create"),
        value: { of: "--authorized-networks", like: "(?:.*,)?0\\.0\\.0\\.0/0(?:,.*)?" },
      },
    ],
    message: "The whole internet can then try this port.",
    remedy: "Give the one address that needs it, or use an identity-aware tunnel.",
    fires: [
      "gcloud compute firewall-rules create ssh --allow tcp:22 --source-ranges 0.0.0.0/0",
      "bash -c 'gcloud sql instances patch shop --authorized-networks=0.0.0.0/0'",
    ],
    passes: [
      "gcloud compute firewall-rules create web --allow tcp:443 --source-ranges 0.0.0.0/0",
      "gcloud compute firewall-rules list",
    ],
  },
];

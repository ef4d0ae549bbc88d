import type { GuardRule } from "../../calls/rule.ts";

/** Rules on Azure. */
export const azureRules: readonly GuardRule[] = [
  {
    id: "az-delete-group",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "group delete|resource delete|managementgroup delete|account management-group delete|stack group delete|stack sub delete|account subscription cancel",
      },
      { program: "azd", words: "down|env delete" },
    ],
    message: "This deletes everything in the group: machines, databases, disks.",
    remedy: "Look at it with `az resource list -g GROUP`, and delete one resource.",
    fires: [
      "az group delete --name shop --yes --no-wait",
      "sudo az --subscription prod group delete -n shop -y",
      "azd down --force --purge",
    ],
    passes: ["az group list", "az group exists --name shop", "az group delete --help", "azd up"],
  },
  {
    id: "az-replace-deployment",
    family: "safety",
    match: [
      {
        program: "az",
        words: "deployment group create|group deployment create|deployment create",
        value: { of: "--mode", like: "(?i)complete" },
      },
      {
        program: "az",
        words: "deployment group create|group deployment create",
        text: "--mode[ =]complete\\b",
      },
    ],
    message: "In complete mode all that the template does not name is deleted from the group.",
    remedy: "Use `--mode Incremental`, and look with `az deployment group what-if`.",
    fires: [
      "az deployment group create -g shop -f main.bicep --mode Complete",
      "bash -c 'az deployment group create --resource-group shop --template-file a.json --mode=complete'",
    ],
    passes: [
      "az deployment group create -g shop -f main.bicep",
      "az deployment group what-if -g shop -f main.bicep --mode Complete",
    ],
  },
  {
    id: "az-delete-machines",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "vm delete|vmss delete|aks delete|aks nodepool delete|container delete|containerapp delete|containerapp env delete|acr delete|acr repository delete|acr purge|webapp delete|functionapp delete|appservice plan delete|staticwebapp delete|logicapp delete|batch account delete|hdinsight delete|synapse workspace delete|ml workspace delete",
      },
    ],
    message: "This deletes machines, clusters, apps or the images that they run.",
    remedy: "Stop it first with `az vm deallocate` or `az webapp stop`.",
    fires: ["az vm delete -g shop -n web1 --yes", "sudo az aks delete --name main --resource-group shop"],
    passes: ["az vm list", "az aks get-credentials -g shop -n main", "az webapp restart -g shop -n web"],
  },
  {
    id: "az-delete-database",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "sql db delete|sql server delete|sql mi delete|sql elastic-pool delete|cosmosdb delete|cosmosdb sql database delete|cosmosdb sql container delete|cosmosdb mongodb database delete|cosmosdb mongodb collection delete|mysql flexible-server delete|mysql flexible-server db delete|postgres flexible-server delete|postgres flexible-server db delete|mysql server delete|postgres server delete|mariadb server delete|redis delete|redis flush|kusto cluster delete|kusto database delete|eventhubs namespace delete|servicebus namespace delete|servicebus queue delete|storage table delete|storage queue delete",
      },
    ],
    message: "This deletes a database or a queue with its data.",
    remedy: "Export it first, and let a person delete it.",
    fires: [
      "az sql db delete -g shop -s srv -n shop --yes",
      "ssh ops 'az cosmosdb delete --name shop --resource-group shop'",
    ],
    passes: [
      "az sql db list -g shop -s srv",
      "az sql db export -g shop -s srv -n shop",
      "az redis update --name r --resource-group g",
    ],
  },
  {
    id: "az-delete-storage",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "storage account delete|storage container delete|storage fs delete|storage fs directory delete|storage share delete|storage share-rm delete|storage container-rm delete|storage file delete-batch",
      },
      { program: "az", words: "storage blob delete-batch|storage remove", without: "--dryrun" },
      { program: "azcopy", words: "remove|rm", flags: ["--recursive"], without: "--dry-run" },
    ],
    message: "This deletes all that is kept there.",
    remedy: "Use `--dryrun`, and see that soft delete is on.",
    fires: [
      "az storage account delete -n shopdata -g shop --yes",
      "sudo az storage blob delete-batch --source logs --account-name shopdata",
      "azcopy rm 'https://shop.blob.core.windows.net/c' --recursive=true",
    ],
    passes: [
      "az storage blob list -c logs",
      "az storage blob delete-batch -s logs --dryrun",
      "az storage blob delete -c logs -n a.txt",
    ],
  },
  {
    id: "az-delete-backup",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "snapshot delete|disk delete|image delete|sig image-version delete|backup vault delete|backup container unregister|backup policy delete|restore-point delete",
      },
      { program: "az", words: "backup protection disable", flags: ["--delete-backup-data"] },
    ],
    message: "The data on these disks and backups cannot be brought back.",
    remedy: "Leave old backups to their policy, and take a snapshot of a disk first.",
    fires: [
      "az disk delete -g shop -n data1 --yes",
      "bash -c 'az backup protection disable -v v -c c -i i -g g --delete-backup-data true --yes'",
    ],
    passes: ["az disk list", "az snapshot create -g shop -n s --source data1", "az backup job list"],
  },
  {
    id: "az-delete-key",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "keyvault delete|keyvault purge|keyvault secret delete|keyvault secret purge|keyvault key delete|keyvault key purge|keyvault certificate delete|keyvault certificate purge|sshkey delete",
      },
      {
        program: "az",
        words:
          "storage account keys renew|cosmosdb keys regenerate|redis regenerate-keys|servicebus namespace authorization-rule keys renew|functionapp keys delete",
      },
    ],
    message: "All that uses this secret or key stops working.",
    remedy: "Set a new version first, and let its users change over.",
    fires: [
      "az keyvault purge --name shop",
      "sudo az keyvault secret delete --vault-name shop --name db",
      "az storage account keys renew -n shopdata --key primary",
    ],
    passes: [
      "az keyvault list",
      "az keyvault secret list --vault-name shop",
      "az storage account keys list -g shop -n shopdata",
    ],
  },
  {
    id: "az-delete-identity",
    family: "safety",
    match: [
      {
        program: "az",
        words:
          "ad app delete|ad sp delete|ad user delete|ad group delete|identity delete|role definition delete|role assignment delete",
      },
    ],
    message: "People or programs lose their account or their rights at once.",
    remedy: "Disable the account first, which can be undone.",
    fires: ["az ad sp delete --id 1", "bash -c 'az role assignment delete --assignee ann@example.com'"],
    passes: ["az ad sp list", "az role assignment list --assignee ann@example.com"],
  },
  {
    id: "az-remove-lock",
    family: "safety",
    match: [
      { program: "az", words: "lock delete|group lock delete|resource lock delete|account lock delete" },
      {
        program: "az",
        text: "--enable-(?:soft-delete|purge-protection|delete-retention|versioning|delete-locks)[ =]false\\b|--enable-container-delete-retention[ =]false\\b",
      },
      {
        program: "az",
        words:
          "monitor diagnostic-settings delete|monitor log-analytics workspace delete|security auto-provisioning-setting update",
      },
    ],
    message: "This takes away what keeps the resource, its data or its records from being lost.",
    remedy: "Leave it on, and let the one who set it take it away.",
    fires: [
      "az lock delete --name keep -g shop",
      "sudo az storage account blob-service-properties update -n shopdata --enable-delete-retention false",
    ],
    passes: [
      "az lock list",
      "az lock create --name keep --lock-type CanNotDelete",
      "az keyvault update -n shop --enable-purge-protection true",
    ],
  },
  {
    id: "az-make-public",
    family: "safety",
    match: [
      {
        program: "az",
        words: "storage container create|storage container set-permission",
        text: "--public-access[ =](?:blob|container)\\b",
      },
      {
        program: "az",
        words: "storage account create|storage account update",
        text: "--allow-blob-public-access[ =]true\\b|--default-action[ =]allow\\b",
      },
    ],
    message: "Everybody on the internet can then read what is kept there.",
    remedy: "Hand out links that end with `az storage blob generate-sas`.",
    fires: [
      "az storage container set-permission -n logs --public-access blob",
      "sudo az storage account update -n shopdata --allow-blob-public-access true",
    ],
    passes: [
      "az storage container set-permission -n logs --public-access off",
      "az storage account update -n shopdata --allow-blob-public-access false",
    ],
  },
  {
    id: "az-open-port",
    family: "safety",
    match: [
      {
        program: "az",
        words: "network nsg rule create|network nsg rule update",
        text: "--source-address-prefix(?:es)?[ =](?:\\*|Internet|0\\.0\\.0\\.0/0).*--destination-port-ranges?[ =](?:\\*|22|3389|1433|3306|5432|5985|6379)\\b",
      },
      {
        program: "az",
        words: "network nsg rule create|network nsg rule update",
        text: "--destination-port-ranges?[ =](?:\\*|22|3389|1433|3306|5432|5985|6379)\\b?.*--source-address-prefix(?:es)?[ =](?:\\*|Internet|0\\.0\\.0\\.0/0)",
      },
      { program: "az", words: "vm open-port", text: "--port[ =](?:\\*|22|3389|1433|3306|5432|5985|6379)" },
      { program: "az", text: "firewall-rule create.*--end-ip-address[ =]255\\.255\\.255\\.255" },
    ],
    message: "The whole internet can then try this port.",
    remedy: "Give the one address that needs it, or use Azure Bastion.",
    fires: [
      "az network nsg rule create -g shop --nsg-name n -n ssh --priority 100 --destination-port-ranges 22 --source-address-prefixes '*'",
      "bash -c 'az sql server firewall-rule create -g shop -s srv -n all --start-ip-address 0.0.0.0 --end-ip-address 255.255.255.255'",
    ],
    passes: [
      "az network nsg rule create -g shop --nsg-name n -n web --priority 100 --destination-port-ranges 443 --source-address-prefixes '*'",
      "az network nsg rule list -g shop --nsg-name n",
    ],
  },
  {
    id: "az-grant-owner",
    family: "safety",
    match: [
      {
        program: "az",
        words: "role assignment create",
        text: "--role[ =](?:Owner|Contributor|User Access Administrator)\\b.*--scope[ =]/subscriptions/[^/ ]+(?: |$|\\n)",
      },
      {
        program: "az",
        words: "role assignment create",
        text: "--role[ =](?:Owner|User Access Administrator)\\b",
      },
    ],
    message: "The account may then do everything there, and let others in.",
    remedy: "Assign a role with only the rights that are needed, on one resource.",
    fires: [
      "az role assignment create --assignee ann@example.com --role Owner --scope /subscriptions/1",
      "sudo az role assignment create --role 'User Access Administrator' --assignee x",
    ],
    passes: [
      "az role assignment create --assignee x --role Reader --scope /subscriptions/1",
      "az role definition list --name Owner",
    ],
  },
  {
    id: "az-create-credential",
    family: "secrets",
    match: [
      { program: "az", words: "ad sp create-for-rbac|ad sp credential reset|ad app credential reset" },
      { program: "az", words: "acr credential renew" },
    ],
    message: "This makes a password, and prints it into the conversation.",
    remedy: "Use a managed identity or federated credentials, which need none.",
    fires: [
      "az ad sp create-for-rbac --name ci --role contributor",
      "bash -c 'az ad app credential reset --id 1'",
    ],
    passes: ["az ad sp list", "az ad app credential list --id 1"],
  },
  {
    id: "az-read-secret",
    family: "secrets",
    match: [
      {
        program: "az",
        words: "keyvault secret show|keyvault secret download|keyvault secret backup|keyvault key download",
        notText: "--query[ =](?:id|name|attributes)",
      },
      {
        program: "az",
        words:
          "webapp deployment list-publishing-credentials|webapp deployment list-publishing-profiles|acr credential show|account get-access-token|functionapp keys list|cosmosdb keys list|redis list-keys",
      },
    ],
    message: "The secret's value becomes part of the conversation.",
    remedy: "Let the program read it by itself; look only at its name.",
    fires: [
      "az keyvault secret show --vault-name shop --name db --query value -o tsv",
      "sudo az acr credential show -n shop",
    ],
    passes: [
      "az keyvault secret list --vault-name shop",
      "az keyvault secret show --vault-name shop --name db --query id",
      "az account show",
    ],
  },
];

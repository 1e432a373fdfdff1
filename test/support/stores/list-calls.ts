import { CREDENTIAL_STORE, DID_STORE, KMS, POLICY_STORE, VERIFIER } from '../../actors/tenant.ts';
import { ISSUER } from '../../actors/tenant-issuer.ts';

/**
 * The records of each list, and of the logs and filters that read all of them, real ones: a loop over them that takes
 * 10 µs for each holds the event loop for 200 ms, unless it gives other work its turn.
 */
export const RECORDS = 20_000;
/** The largest page, and the last one. */
export const PAGE = 1000;
export const LAST = 50;

/** How an operation is called. */
export interface Row {
  target?: string;
  /** The queries beside those of the first and the last page. */
  queries?: string[];
  json?: unknown;
  text?: string;
}

const ACME: Row = { target: 'acme' };
const DEFINITION = {
  id: 'cards',
  input_descriptors: [{ id: 'Card', constraints: { fields: [{ path: ['$.level'], filter: { const: 'gold' } }] } }],
};
const CARD = { id: 'card', format: 'jwt_vc_json', meta: { type_values: [['Card']] } };
const AUDITED = 'from=2020-01-01T00:00:00.000Z&to=2100-01-01T00:00:00.000Z&account=none&action=none&outcome=failed';
const PAGED = [AUDITED, 'limit=100', 'limit=100&order=oldest&after=5000&subtree=true'];
const EXPORTED = ['', `${AUDITED}&subtree=true`];
const CHECKED = { queries: ['', `after=${RECORDS / 2}`] };

/** The calls of the lists, checks, filters and exports of what is stored. */
export const ROWS: Record<string, Row> = {
  listResources: { target: 'acme.t1' },
  listKeys: { target: KMS },
  listDids: { target: DID_STORE },
  listDidIds: { target: DID_STORE },
  listCredentials: { target: CREDENTIAL_STORE },
  listCredentialIds: { target: CREDENTIAL_STORE },
  listCertificates: { target: 'acme.t1.x509store' },
  listCertificateIds: { target: 'acme.t1.x509store' },
  listVicalVersionIds: { target: 'acme.t1.vicalservice' },
  listTrustedIssuers: { target: 'acme.t1.trustregistry' },
  tenantListIssuanceSessions: { target: ISSUER },
  listIssuedCredentials: {
    target: ISSUER,
    queries: [
      `limit=${PAGE}&type=Card&state=valid&from=2100-01-01T00%3A00%3A00.000Z&to=2200-01-01T00%3A00%3A00.000Z`,
      'reference=none&recipient=none',
    ],
  },
  listStoredPolicies: { target: POLICY_STORE },
  listStoredPolicyIds: { target: POLICY_STORE },
  listVerificationSessions: { target: VERIFIER },
  listSavedChecks: { target: VERIFIER },
  listStatusCredentials: { target: 'acme.t1.credentialstatus' },
  listClientAttestations: { target: 'acme.t1.clientattester' },
  listAccounts: {},
  listOrganizations: {},
  getWorkplace: { target: 'acme.t1' },
  listRoles: ACME,
  listRoleAccounts: { target: 'acme.guests' },
  listApiKeys: ACME,
  listInvitations: ACME,
  listHostAliases: ACME,
  listPublishedDids: {},
  listStatusLists: {},
  listStatusEntries: { queries: ['status=revoked', `limit=${PAGE}&status=valid`] },
  findStatusEntries: { queries: [`session=s&limit=${PAGE}&offset=0`, 'credentialId=none'] },
  listWalletKeys: {},
  listWalletDids: {},
  listWallet2Keys: {},
  listWallet2Dids: {},
  listWallet2Credentials: {},
  listWalletCredentials: {
    queries: [
      '',
      'category=none',
      'category=none&limit=1&after=2020-01-01T00%3A00%3A00.000Z',
      'showDeleted=true&showPending=true&sortBy=addedOn&descending=true',
    ],
  },
  listWalletEvents: {
    queries: [`limit=${PAGE}`, 'filter=event%3Dnone', 'limit=100&sortBy=event&sortOrder=asc&startingAfter=5000'],
  },
  listWalletHistory: {},
  listWalletIssuers: {},
  listFrequentCredentials: { queries: ['limit=100'] },
  matchWalletCredentials: { json: DEFINITION },
  listMissingCredentials: { json: DEFINITION },
  matchRequestedCredentials: { text: 'link' },
  matchStoredCredentials: { json: { dcqlQuery: { credentials: [CARD] } } },
  describePresentationRequest: { text: 'link' },
  listAuditEvents: { target: 'acme', queries: PAGED },
  exportAuditEvents: { target: 'acme', queries: EXPORTED },
  checkAuditTrail: { target: 'acme', ...CHECKED },
  queryAuditEntries: { json: { target: 'acme' } },
  listInstallationEvents: { queries: PAGED },
  exportInstallationEvents: { queries: EXPORTED },
  checkInstallationTrail: CHECKED,
};

const [SETTINGS, PROGRAM, ONE] = ['is in the settings', 'is part of the program', 'is within one record'];
/** What the operations answer that read no number of records. */
export const NO_LISTS: Record<string, string> = {
  listIssuanceProfiles: SETTINGS,
  listTransactionDataProfiles: SETTINGS,
  listVerifierTransactionDataProfiles: SETTINGS,
  listRejectionReasons: SETTINGS,
  listPolicies: PROGRAM,
  describePolicies: PROGRAM,
  listActions: PROGRAM,
  getLiveness: PROGRAM,
  getReadiness: PROGRAM,
  listCredentialTypes: ONE,
  listDependencies: ONE,
  listServiceDependencies: ONE,
  listServiceDependenciesV2: ONE,
  listWalletCategories: ONE,
  getWalletCredentialStatus: 'is about one credential',
  describeWalletKey: 'is one key',
  exportWalletKey: 'is one key',
  checkRevocation: 'is about the credential of the request',
  listAccountWallets: 'is in the one record of the account',
  describeWallet: 'is one wallet',
  listNamedStores: 'gives other work its turn at each wallet, and is not served beside accounts',
  listWallets: 'is in the one record of the account',
  listWallet2AccountWallets: 'is in the one record of the account',
  listDraft11Keys: 'is the keys of one issuer',
  listOpenid4vciKeys: 'is the keys of one issuer',
  listTrustSources: 'is at most 20 records',
  listClientAttesterKeys: 'is the keys of one service, at most 100',
  listIssuerCredentials: 'is the metadata of one issuer',
  listDeferredCredentials: 'is at most 64 records',
  listPendingCredentials: 'is at most 64 records',
  matchGivenCredentials: 'is about at most 64 credentials of the request',
  describePageRequest: 'matches credentials as describePresentationRequest does, which is measured',
};

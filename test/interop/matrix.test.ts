import { expect } from 'chai';
import { degree, type Issuer } from '../../demo/actors/issuer.ts';
import { ASKED, identity, licence } from '../actors/issuance-formats.ts';
import { FinalIssuance } from '../actors/openid4vci.ts';
import { credentialsIn, type Exchange, type Redeeming } from './offer-wallet.ts';
import { OutsideWallet } from './outside-wallet.ts';
import { JUDGES } from './verdicts.ts';

type Json = Record<string, unknown>;

const FORMATS = ['jwt_vc_json', 'vc+sd-jwt', 'dc+sd-jwt', 'mso_mdoc'] as const;
type Format = (typeof FORMATS)[number];

const TX_CODE = '493536';

/** What a flow changes in the offer, and how the wallet gets its access token. */
interface Flow {
  name: string;
  /** Members of an issuance request of the drafts. */
  draft: Json;
  /** Members of an offer of 1.0. */
  final: Json;
  how?: Redeeming;
  isDeferred?: boolean;
  isBatch?: boolean;
}

const FLOWS: Flow[] = [
  { name: 'pre-authorized code', draft: {}, final: {} },
  {
    name: 'transaction code',
    draft: { txCode: {}, txCodeValue: TX_CODE },
    final: { txCode: {}, txCodeValue: TX_CODE },
    how: { txCode: TX_CODE },
  },
  {
    name: 'authorization code',
    draft: { authenticationMethod: 'NONE' },
    final: { authorization: {} },
    how: { code: 'plain' },
  },
  {
    name: 'pushed request',
    draft: { authenticationMethod: 'NONE' },
    final: { authorization: {} },
    how: { code: 'pushed' },
  },
  { name: 'deferred', draft: { issuanceType: 'DEFERRED' }, final: { isDeferred: true }, isDeferred: true },
  { name: 'batch', draft: {}, final: {}, isBatch: true },
];

/** One version: how its offers are made, and how what the library does not do is asked for. */
interface Version {
  name: string;
  /** Why it does not have a format. */
  lacks: Partial<Record<Format, string>>;
  /** What the wallet of the test does in place of the library. */
  byHand: Partial<Record<string, string>>;
  offer(format: Format, flow: Flow): Promise<string>;
  /** Gets a deferred credential, from the first request on. */
  deferred(exchange: Exchange, format: Format, wallet: OutsideWallet): Promise<string[]>;
  /** Gets two credentials with one request. */
  batch(exchange: Exchange, format: Format, wallets: OutsideWallet[]): Promise<string[]>;
}

const OPERATIONS: Partial<Record<Format, string>> = {
  jwt_vc_json: 'issueJwtCredential',
  'vc+sd-jwt': 'issueSdJwtCredential',
  mso_mdoc: 'issueMdoc',
};

describe('versions, formats and flows before an outside wallet and outside judges', () => {
  let issuance: FinalIssuance;
  let issuer: Issuer;
  before(async () => {
    issuance = await FinalIssuance.start();
    ({ issuer } = issuance);
  });
  after(() => issuance.close());

  const content = (format: Format, changes: Json = {}): Json => {
    if (format === 'jwt_vc_json') return degree(issuer, changes);
    if (format === 'mso_mdoc') return licence(issuer, changes);
    return identity(issuer, { credentialConfigurationId: `IdentityCredential_${format}`, ...changes });
  };

  /** What a request of a draft asks by. */
  const askedBy: Record<string, (format: Format) => Json> = {
    'draft 11': (format) => {
      const { credential_definition: definition, ...asked }: Json =
        ASKED[format === 'mso_mdoc' ? 'licence' : 'degree']();
      return { ...asked, ...(definition !== undefined && { types: (definition as { type: string[] }).type }) };
    },
    'draft 13': (format) => {
      if (format === 'vc+sd-jwt') return ASKED.identity(issuance.server);
      return ASKED[format === 'mso_mdoc' ? 'licence' : 'degree']();
    },
  };

  async function post(
    { token }: Pick<Exchange, 'token'>,
    url: unknown,
    json?: unknown,
    bearer = token.access_token,
  ): Promise<Json> {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const response = await fetch(String(url), { method: 'POST', headers, body: JSON.stringify(json) });
    const body = (await response.json()) as Json;
    expect(response.status, JSON.stringify(body)).to.be.oneOf([200, 202]);
    return body;
  }

  const draft = (name: 'draft 11' | 'draft 13', standardVersion: string, more: Pick<Version, 'lacks' | 'byHand'>) => ({
    ...more,
    name,
    offer: async (format: Format, { draft: changes, isBatch }: Flow) => {
      const one = content(format, { standardVersion, ...changes });
      const operation = `${OPERATIONS[format]}${isBatch ? 'Batch' : ''}`;
      const { body } = await issuance.server.call(operation, { json: isBatch ? [one, one] : one });
      return String(body);
    },
    batch: async (exchange: Exchange, format: Format, [wallet]: OutsideWallet[]) => {
      const [id = ''] = exchange.offer.credential_configuration_ids;
      const proof = { proof_type: 'jwt', jwt: await wallet?.offers.proof(exchange, id) };
      const one = { ...askedBy[name]?.(format), proof };
      const url = exchange.metadata.credentialIssuer.batch_credential_endpoint;
      const { credential_responses: all } = await post(exchange, url, { credential_requests: [one, one] });
      return (all as { credential: string }[]).map(({ credential }) => credential);
    },
  });

  /** From draft 13 on a deferred credential has a transaction id. */
  const deferred: Version['deferred'] = async (exchange, _, { offers }) => {
    const [id = ''] = exchange.offer.credential_configuration_ids;
    const { transaction_id } = await offers.claim(exchange, id, [await offers.proof(exchange, id)]);
    return credentialsIn(await offers.collect(exchange, transaction_id ?? ''));
  };

  const versions: Version[] = [
    {
      ...draft('draft 11', 'DRAFT11', {
        lacks: {
          'vc+sd-jwt': 'draft 11 has no SD-JWT VCs',
          'dc+sd-jwt': 'draft 11 has no SD-JWT VCs',
        },
        byHand: {
          deferred: 'the library does not know acceptance_token',
          batch: 'the library has no batch endpoint of the drafts',
        },
      }),
      deferred: async (exchange, format, wallet) => {
        const [id = ''] = exchange.offer.credential_configuration_ids;
        const { credential_endpoint, deferred_credential_endpoint } = exchange.metadata.credentialIssuer;
        const proof = { proof_type: 'jwt', jwt: await wallet.offers.proof(exchange, id) };
        const { acceptance_token } = await post(exchange, credential_endpoint, {
          ...askedBy['draft 11']?.(format),
          proof,
        });
        const later = await post(exchange, deferred_credential_endpoint, undefined, String(acceptance_token));
        return [String(later.credential)];
      },
    },
    {
      ...draft('draft 13', 'DRAFT13', {
        lacks: { 'dc+sd-jwt': 'the name is later than draft 13' },
        byHand: {
          deferred: 'the library sends the request, and reads responses of 1.0 only',
          batch: 'the library has no batch endpoint of the drafts',
        },
      }),
      deferred,
    },
    {
      name: '1.0',
      lacks: { 'vc+sd-jwt': '1.0 has dc+sd-jwt in its place' },
      byHand: { deferred: 'the library sends the request, and refuses a notification_id beside credentials' },
      offer: async (format, { final }) => (await issuance.offer({ content: content(format), ...final })).url,
      deferred,
      batch: async (exchange, _, wallets) => {
        const [id = ''] = exchange.offer.credential_configuration_ids;
        const proofs = await Promise.all(wallets.map(({ offers }) => offers.proof(exchange, id)));
        return credentialsIn((await wallets[0]?.offers.claim(exchange, id, proofs)) ?? {});
      },
    },
  ];

  /** The credentials that the outside wallets get for an offer, with their holders. */
  async function redeemed(version: Version, format: Format, flow: Flow): Promise<[string, OutsideWallet][]> {
    const binding = format === 'jwt_vc_json' ? 'did:jwk' : 'jwk';
    const wallets = [0, 1].map(() => new OutsideWallet({ alg: 'ES256', binding }));
    const [wallet = new OutsideWallet({ alg: 'ES256', binding })] = wallets;
    const url = await version.offer(format, flow);
    if (!flow.isDeferred && !flow.isBatch)
      return (await wallet.offers.accept(url, flow.how)).credentials.map((one) => [one, wallet]);
    const exchange = await wallet.offers.refresh(await wallet.offers.begin(url, flow.how));
    if (flow.isDeferred) return (await version.deferred(exchange, format, wallet)).map((one) => [one, wallet]);
    const credentials = await version.batch(exchange, format, wallets);
    expect(new Set(credentials).size).to.equal(2);
    const holders = version.name === '1.0' ? wallets : [wallet, wallet];
    return credentials.map((one, index) => [one, holders[index] ?? wallet]);
  }

  const table = new Map<string, string>();
  const cell = (version: Version, flow: Flow, format: Format) => `${version.name} ${flow.name} ${format}`;
  for (const version of versions)
    for (const format of FORMATS)
      for (const flow of FLOWS) {
        if (version.lacks[format] !== undefined) continue;
        it(`${version.name}, ${format}, ${flow.name}: redeemed, and accepted by the judge of the format`, async () => {
          table.set(cell(version, flow, format), 'FAILED');
          const credentials = await redeemed(version, format, flow);
          expect(credentials).to.have.length(flow.isBatch ? 2 : 1);
          for (const [credential, holder] of credentials)
            expect(await JUDGES[format]?.(credential, holder)).to.equal(undefined);
          table.set(cell(version, flow, format), flow.name in version.byHand ? 'ok *' : 'ok');
        });
      }

  function printed(): string {
    const notes = new Set<string>();
    const rows = versions.flatMap((version) => {
      for (const [flow, why] of Object.entries(version.byHand)) notes.add(`* ${version.name}, ${flow}: ${why}`);
      for (const [format, why] of Object.entries(version.lacks)) notes.add(`– ${version.name}, ${format}: ${why}`);
      return FLOWS.map((flow) => [
        version.name,
        flow.name,
        ...FORMATS.map((format) => table.get(cell(version, flow, format)) ?? '–'),
      ]);
    });
    const lines = [['version', 'flow', ...FORMATS], ...rows].map((row) =>
      row.map((text) => text.padEnd(19)).join(' | '),
    );
    return [...lines, ...notes].map((line) => `      ${line.trimEnd()}`).join('\n');
  }

  it('every combination that a version has is in the table', () => {
    console.log(printed());
    const had = versions.flatMap((version) => FORMATS.filter((format) => version.lacks[format] === undefined));
    expect(table.size).to.equal(had.length * FLOWS.length);
    expect([...table.values()]).to.not.include('FAILED');
  });
});

import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { HttpPeer } from '../../actors/http-peer.ts';
import { startIssuer } from '../../actors/issuer.ts';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useServer } from '../../support/servers/server.ts';
import {
  listedStatus,
  REGISTERED_AS,
  registrars,
  signedRegistration,
  statingRequest,
} from '../../support/trust/registrations.ts';
import { readers } from '../../support/trust/verifier-chains.ts';

const PID = { format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } };
const NAME = { path: ['given_name'] };
const QUERY = {
  credentials: [
    { id: 'pid', ...PID, claims: [NAME, { path: ['birthdate'] }] },
    { id: 'card', ...PID, meta: { vct_values: ['urn:card'] } },
  ],
};

describe('describePresentationRequest, previewRequest: for what a verifier is registered', () => {
  const peer = new HttpPeer();
  const trustedVerifiers = { certificates: [readers.pem] };
  const server = useServer({ settings: { wallet: { registrars: [registrars.pem] }, trustedVerifiers } });
  const ignorant = useServer({ settings: { trustedVerifiers } });
  let holder: WalletUser;
  before(async () => {
    await peer.listen();
    holder = await newWalletUser(server);
  });
  after(() => peer.close());

  const stated = async (claims = {}, options = {}) => [
    {
      format: 'registration_cert',
      data: await signedRegistration({ ...(await listedStatus(peer)), ...claims }, options),
    },
  ];
  /** What both APIs say. */
  async function shown(link: string, user = holder) {
    const described = await user.call('describePresentationRequest', { text: link });
    const previewed = await user.call('previewRequest', { json: { requestUrl: link } });
    return { described, previewed };
  }

  it('200: who it is, for what, and what the request asks for beyond that', async () => {
    const claims = {
      privacy_policy: 'https://shop.example/privacy',
      credentials: [{ ...PID, claim: [NAME] }],
    };
    const { described, previewed } = await shown(await statingRequest(QUERY, await stated(claims)));
    const registration = {
      name: 'Shop',
      identifier: REGISTERED_AS,
      purposes: [
        { locale: 'en', text: 'To send a parcel' },
        { locale: 'de', text: 'Um ein Paket zu schicken' },
      ],
      privacyPolicy: 'https://shop.example/privacy',
      credentials: [{ format: 'dc+sd-jwt', types: ['urn:eudi:pid:1'], claims: [['given_name']] }],
      surplus: [{ queryId: 'pid', path: ['birthdate'] }, { queryId: 'card' }],
    };
    expect([described.status, described.body.registration]).to.deep.equal([200, registration]);
    expect([previewed.status, previewed.body.registration]).to.deep.equal([200, registration]);
    expect(described.body.proof).to.have.all.keys('kind', 'name', 'issuer', 'isTrusted');
  });

  it('200: through whom it asks; nothing where the wallet knows no registrar, or there is no certificate', async () => {
    const acting = {
      sub: 'NTRZZ-Q9',
      act: { sub: REGISTERED_AS },
      intermediary: { sub: REGISTERED_AS, sname: 'Agent' },
    };
    const link = await statingRequest(QUERY, await stated(acting));
    const { body } = (await shown(link)).described;
    expect(body.registration).to.include({ identifier: 'NTRZZ-Q9', intermediary: 'Agent' });
    const other = (await shown(link, await newWalletUser(ignorant))).described;
    expect([other.status, other.body.registration]).to.deep.equal([200, undefined]);
    const none = (await shown(await statingRequest(QUERY, [{ format: 'other', data: {} }]))).described;
    expect([none.status, none.body.registration]).to.deep.equal([200, undefined]);
  });

  it('400: a certificate that is not valid; API 2 says so in its preview', async () => {
    const cases: [unknown, RegExp][] = [
      [await stated({ sub: 'NTRZZ-Q2' }), /is that of another party than the one that signed the request$/],
      [await stated(await listedStatus(peer, { isRevoked: true })), /is not valid any more: revocation$/],
      [await stated({ exp: 1 }), /has an exp that is not acceptable/],
    ];
    for (const [info, why] of cases) {
      const { described, previewed } = await shown(await statingRequest(QUERY, info));
      expect([described.status, previewed.status, previewed.body.valid]).to.deep.equal([400, 200, false]);
      expect(described.body.message).to.match(why);
      expect(previewed.body.error.message).to.match(why);
    }
  });

  it('409: an answer to another registration than was described', async () => {
    const described = (await shown(await statingRequest(QUERY, await stated()))).described;
    const presentationRequest = await statingRequest(QUERY, await stated({ name: 'Another' }));
    const json = { presentationRequest, consent: described.body.consent, selectedCredentials: ['any'] };
    const { status, body } = await holder.call('presentCredentials', { json });
    expect([status, body.message]).to.match(/^409,The verifier changed (client_id, )?verifier_info since/);
  });

  it('200: whether the issuer of a card wants it to be shown to who asks, as it said when it issued', async () => {
    const issuer = await startIssuer();
    const user = await newWalletUser(server);
    const root = createHash('sha256').update(readers.der).digest('hex');
    const listing = (...authorized_relying_parties: string[]) => ({
      policy_type: 'authorized_relying_parties',
      authorized_relying_parties,
    });
    const provider = 'https://uri.etsi.org/19475/Entitlement/Service_Provider';
    const policy_url = 'https://issuer.example/policy';
    const policies: [policy: object | undefined, registered: object | undefined, not: object | undefined][] = [
      [undefined, undefined, undefined],
      ...([
        [{ policy_type: 'none' }, ['none', 'allowed'], ['none', 'allowed']],
        [listing(REGISTERED_AS), ['authorized_relying_parties', 'allowed'], ['authorized_relying_parties', 'unknown']],
        [listing(provider), ['authorized_relying_parties', 'allowed'], ['authorized_relying_parties', 'unknown']],
        [listing('NTRZZ-Q2'), ['authorized_relying_parties', 'refused'], ['authorized_relying_parties', 'unknown']],
        [
          { policy_type: 'specific_root_of_trust', trusted_roots: [root] },
          ['specific_root_of_trust', 'allowed'],
          ['specific_root_of_trust', 'allowed'],
        ],
        [
          { policy_type: 'specific_root_of_trust', trusted_roots: ['00'.repeat(32)] },
          ['specific_root_of_trust', 'refused'],
          ['specific_root_of_trust', 'refused'],
        ],
        [{ policy_type: 'attestation' }, ['unreadable', 'unknown'], ['unreadable', 'unknown']],
      ].map(([policy, ...outcomes]) => [
        { ...policy, policy_url },
        ...outcomes.map((one) => ({ type: Object(one)[0], outcome: Object(one)[1], infoUri: policy_url })),
      ]) as [object, object, object][]),
    ];
    const path = '/issuer/.well-known/openid-credential-issuer';
    const plain = issuer.peer.routes[path];
    let published: object | undefined;
    issuer.peer.routes[path] = async (request) => {
      const body = Object((await plain?.(request))?.body);
      body.credential_configurations_supported.Degree_jwt_vc_json.disclosure_policy = published;
      return { body };
    };
    const cards: string[] = [];
    for (const [policy] of policies) {
      published = policy;
      const { body } = await user.call('acceptCredentialOffer', { text: issuer.link() });
      cards.push(body[0].id);
    }
    const query = { credentials: [{ id: 'q', format: 'jwt_vc_json', meta: { type_values: [['Degree']] } }] };
    const registered = await statingRequest(query, await stated());
    const alone = await statingRequest(query, [{ format: 'other', data: {} }]);
    for (const [link, column] of [
      [registered, 1],
      [alone, 2],
    ] as const) {
      const { described, previewed } = await shown(link, user);
      const expected = Object.fromEntries(cards.map((id, index) => [id, policies[index]?.[column]]));
      type Shown = Record<string, unknown>;
      const byCard = (list: Shown[], name: string) =>
        Object.fromEntries(list.map((one) => [one[name], one.disclosurePolicy]));
      expect(byCard(described.body.queries[0].credentials, 'id')).to.deep.equal(expected);
      expect(byCard(previewed.body.credentialOptions, 'credentialId')).to.deep.equal(expected);
    }
    await issuer.close();
  });
});

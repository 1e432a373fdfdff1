import { expect } from 'chai';
import { EXAMPLE_CERTIFICATE } from '../../domain/verifier/policies/listed-issuers.ts';
import { crossDevice } from '../actors/openid4vp.ts';
import { type EnterpriseFixture, fieldsOf, startEnterprise, VERIFIER } from '../actors/tenant.ts';
import { ok } from '../actors/tenant-certificates.ts';
import { CARDS, createIssuer, ISSUER, MEMBER } from '../actors/tenant-issuer.ts';
import { contract } from '../support/documents/contract.ts';
import { exampleOf } from '../support/documents/examples.ts';
import type { Answer } from '../support/servers/server.ts';
import { AddressTrial } from './address-trial.ts';
import { mutate } from './mutations.ts';
import { didWebOf, type UrlInput } from './url-inputs.ts';

const trusted = { trustedSourceSignerCertificates: [EXAMPLE_CERTIFICATE] };

describe('saved checks and credential types of hostile callers', () => {
  let world: EnterpriseFixture;
  let trial: AddressTrial;
  before(async () => {
    world = await startEnterprise({ outbound: { allow: [] } });
    trial = await AddressTrial.start();
    await ok(createIssuer(world), 201);
    await ok(world.post('createSavedCheck', `${VERIFIER}.one`, { name: 'One', setup: crossDevice() }), 201);
    await newType();
  });
  after(async () => {
    trial.close();
    await world.close();
  });

  /** A type in its first version, which the replacement of the example names. */
  async function newType(): Promise<void> {
    const path = { target: ISSUER, typeId: 'one' };
    await world.server.call('deleteCredentialType', { path, token: world.root });
    await ok(world.post('createCredentialType', ISSUER, { ...MEMBER, id: 'one' }), 201);
  }

  /** Sends a body as it is. */
  async function send(operationId: string, target: string, body: string): Promise<Answer> {
    const operation = (await contract).operations.find((one) => one.operationId === operationId);
    const headers = { authorization: `Bearer ${world.root}`, 'content-type': 'application/json' };
    const path = (operation?.path ?? '').replace('{target}', target).replace('{typeId}', 'one');
    return world.server.fetch(path, { method: operation?.method, headers, body });
  }

  it('with a defect in any one field get a clear answer at a service that takes them, and change nothing else', async () => {
    for (const [operationId, target] of [
      ['createSavedCheck', VERIFIER],
      ['replaceSavedCheck', `${VERIFIER}.one`],
      ['createSessionOfCheck', `${VERIFIER}.one`],
      ['createCredentialType', ISSUER],
      ['replaceCredentialType', ISSUER],
    ] as const) {
      const operation = (await contract).operations.find((one) => one.operationId === operationId);
      for (const { text, name, path } of mutate(exampleOf({ requestBody: operation?.requestBody }))) {
        const answer = await send(operationId, target, text);
        const what = `${operationId} ${path} ${name}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`;
        expect([200, 201, 400, 409], what).to.include(answer.status);
        if (answer.status === 400) expect(fieldsOf(answer), what).not.to.deep.equal([]);
        else if (operationId === 'replaceCredentialType') await newType();
      }
    }
    const shown = await world.server.call('getSavedCheck', { path: { target: `${VERIFIER}.one` }, token: world.root });
    expect(Object.keys(shown.body.setup)).to.include.members(['flow_type', 'core_flow']);
    expect(({} as Record<string, unknown>).x).to.equal(undefined);
  });

  it('that name addresses of this machine are refused when they are saved, and nothing is called', async () => {
    const saving = (name: string, core: (url: string) => object): UrlInput => ({
      name,
      send: (url) => world.post('createSavedCheck', VERIFIER, { name, setup: crossDevice(core(url)) }),
    });
    let sources = 0;
    await ok(world.post('createService', 'acme.t1.trust1', { type: 'trust-registry' }), 201);
    const source: UrlInput = {
      name: 'url of a source of a trust registry',
      send: (url) =>
        world.post('loadTrustSource', 'acme.t1.trust1', {
          sourceId: `s${++sources}`,
          url,
          signers: [EXAMPLE_CERTIFICATE],
        }),
    };
    const policy = (name: string, of: (url: string) => object): UrlInput =>
      saving(`policy ${name}`, (url) => ({ policies: { vc_policies: [{ policy: name, ...of(url) }] } }));
    const attributes: UrlInput = {
      name: 'attribute source of a profile',
      send: (url) =>
        world.server.call('createTenantProfile', {
          path: { target: ISSUER, profileId: 'sourced' },
          token: world.root,
          json: { ...CARDS.profiles.card, attributeSource: { url, claims: { level: '$.level' } } },
        }),
    };
    const inputs = [
      attributes,
      saving('webhook', (url) => ({ notifications: { webhook: { url } } })),
      policy('webhook', (url) => ({ args: { url } })),
      source,
      policy('etsi-trust-list', (url) => ({ trustLists: [url], ...trusted })),
    ];
    for (const scheme of ['http', 'https']) await trial.refusesAll(inputs, trial.spelled(scheme, '/'));
    const verifier: UrlInput = {
      name: 'did:web of the verifier',
      send: (host) => {
        const clientId = `decentralized_identifier:${didWebOf(host)}`;
        return world.post('createSavedCheck', VERIFIER, {
          name: 'x',
          setup: crossDevice({ signed_request: true, clientId }),
        });
      },
    };
    await trial.refusesAll([verifier], trial.authorities);
    const logo: UrlInput = {
      name: 'logo of a type',
      send: (url) =>
        world.post('createCredentialType', ISSUER, {
          display: [{ locale: 'en', name: 'x' }],
          claims: [{ path: ['a'], type: 'text' }],
          formats: ['dc+sd-jwt'],
          card: { logo: url },
        }),
    };
    await trial.refusesAll([logo], [...trial.spelled('http', '/logo.png'), 'data:image/svg+xml;base64,PHN2Zy8+']);
    expect(trial.canary.hits).to.equal(0);
  });
});

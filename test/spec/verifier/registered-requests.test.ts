import { expect } from 'chai';
import { crossDevice, Openid4vp } from '../../actors/openid4vp.ts';
import { KMS, startEnterprise } from '../../actors/tenant.ts';
import { useServer } from '../../support/servers/server.ts';
import { REGISTERED_AS, signedRegistration } from '../../support/trust/registrations.ts';
import { certifiedKey } from '../../support/trust/verifier-chains.ts';

// biome-ignore lint/suspicious/noExplicitAny: setups are changed in any member
type Json = Record<string, any>;

const PID = { format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } };
const NAME = { path: ['given_name'] };
const REGISTERED = { credentials: [{ ...PID, claim: [NAME, { path: ['address', 'locality'] }] }] };

/** A query for one credential. */
const asks = (more: Json = {}) => ({ dcql_query: { credentials: [{ id: 'pid', ...PID, ...more }] } });

/** The statements about a verifier with its registration certificate. */
const stating = (data: unknown) => [{ format: 'registration_cert', data }];

describe('createVerificationSession: a registered verifier', () => {
  const server = useServer();
  let data: string;
  let certified: Awaited<ReturnType<typeof certifiedKey>>;
  before(async () => {
    data = await signedRegistration(REGISTERED);
    certified = await certifiedKey({ identifier: REGISTERED_AS });
  });

  const signed = (core: Json): Json => {
    const { key, x5c, hash: clientId } = certified;
    return crossDevice({ signed_request: true, clientId, key, x5c, ...core });
  };
  const errors = async (setup: Json): Promise<[string, string][]> => {
    const { status, body } = await server.call('createVerificationSession', { json: setup });
    expect(status, JSON.stringify(body)).to.equal(400);
    return body.details.map(({ path, message }: Json) => [path, message]);
  };

  it('200: states the registration in a request for what is registered; with what others state beside it', async () => {
    const vp = await Openid4vp.with(server);
    const info = [{ format: 'other', data: {} }, ...stating(Buffer.from(data).toString('base64url'))];
    const created = await vp.create(signed({ ...asks({ claims: [NAME] }), verifier_info: info }));
    expect((await vp.request(created)).parameters.verifier_info).to.deep.equal(info);
  });

  it('400: names each credential and each claim that is not registered', async () => {
    const claims = [NAME, { path: ['birthdate'] }, { path: ['address'] }];
    const dcql_query = {
      credentials: [
        { id: 'pid', ...PID, claims },
        { id: 'card', ...PID, meta: { vct_values: ['urn:card'] } },
        { id: 'any', ...PID, meta: {} },
      ],
    };
    const said = 'the registration certificate does not name the';
    const credentials = '/body/core_flow/dcql_query/credentials';
    expect(await errors(signed({ dcql_query, verifier_info: stating(data) }))).to.deep.equal([
      [`${credentials}/0/claims/1/path`, `${said} claim ["birthdate"] of dc+sd-jwt urn:eudi:pid:1`],
      [`${credentials}/0/claims/2/path`, `${said} claim ["address"] of dc+sd-jwt urn:eudi:pid:1`],
      [`${credentials}/1`, `${said} credential dc+sd-jwt urn:card`],
      [`${credentials}/2`, `${said} credential dc+sd-jwt of any type`],
    ]);
  });

  it('400: a definition, which cannot be compared', async () => {
    const presentation_definition = { id: 'd', input_descriptors: [{ id: 'a', constraints: {} }] };
    const { dcql_query: _, ...core } = signed({ presentation_definition, verifier_info: stating(data) }).core_flow;
    expect((await errors({ flow_type: 'cross_device', core_flow: core })).map(([path]) => path)).to.deep.equal([
      '/body/core_flow/presentation_definition',
    ]);
  });

  it('400: names a certificate that cannot count', async () => {
    const place = (index = 0) => `/body/core_flow/verifier_info/${index}`;
    const of = async (claims: Json, header?: Json) =>
      stating(await signedRegistration({ ...REGISTERED, ...claims }, { header }));
    const cases: [string, Json[], string, RegExp][] = [
      ['no text', stating(7), `${place()}/data`, /not a compact JWS$/],
      ['an empty one', stating(''), `${place()}/data`, /not a compact JWS$/],
      ['another type', await of({}, { typ: 'JWT' }), `${place()}/data`, /of the type rc-wrp\+jwt$/],
      ['one that has ended', await of({ exp: 1 }), `${place()}/data`, /has ended$/],
      ['that of another party', await of({ sub: 'NTRZZ-Q2' }), `${place()}/data`, /of another party/],
      [
        'one for which another than the signer acts',
        await of({ act: { sub: 'NTRZZ-Q2' } }),
        `${place()}/data`,
        /of another party/,
      ],
      ['two of them', [...stating(data), ...stating(data)], place(1), /a second registration certificate$/],
    ];
    for (const [what, info, path, message] of cases) {
      const [[where, why] = ['', ''], ...more] = await errors(signed({ ...asks(), verifier_info: info }));
      expect([where, more], what).to.deep.equal([path, []]);
      expect(why, what).to.match(message);
    }
    const acting = await of({ sub: 'NTRZZ-Q2', act: { sub: REGISTERED_AS } });
    const json = signed({ ...asks(), verifier_info: acting });
    expect((await server.call('createVerificationSession', { json })).status, 'an intermediary').to.equal(200);
  });
});

describe('createService: a registered verifier of a tenant', () => {
  const LICENCE = 'org.iso.18013.5.1.mDL';
  const PORTRAIT = { path: ['org.iso.18013.5.1', 'portrait'] };
  /** A request without OpenID4VP. */
  const elements = (...names: string[]) => ({
    flow_type: 'dc_api_18013_7',
    core_flow: { requestedElements: { [LICENCE]: { 'org.iso.18013.5.1': names } } },
    expectedOrigins: ['https://shop.example.org'],
  });

  it('201: has a registration of its own, and its requests in each protocol keep within it', async () => {
    const world = await startEnterprise();
    try {
      const create = (target: string, registration: unknown) =>
        world.server.call('createService', {
          path: { target },
          json: { type: 'verifier2', dependencies: [KMS], verifierInfo: stating(registration) },
          token: world.root,
        });
      const licence = { format: 'mso_mdoc', meta: { doctype_value: LICENCE }, claim: [PORTRAIT] };
      const registered = await signedRegistration({ credentials: [PID, licence] });
      expect((await create('acme.t1.one', registered)).status).to.equal(201);
      expect((await create('acme.t1.two', await signedRegistration())).status).to.equal(201);
      const asked = async (target: string, json: Json) => {
        const vp = await Openid4vp.with(world.server, { target, token: world.root });
        const { status, body } = await vp.call('createVerificationSession', { json });
        return [status, ...(body.details ?? []).map(({ path }: Json) => path)];
      };
      expect(await asked('acme.t1.one', crossDevice(asks()))).to.deep.equal([200]);
      expect(await asked('acme.t1.one', elements('portrait'))).to.deep.equal([200]);
      const place = `/body/core_flow/requestedElements/${LICENCE}/org.iso.18013.5.1`;
      expect(await asked('acme.t1.one', elements('portrait', 'sex'))).to.deep.equal([400, place]);
      const none = '/body/core_flow/dcql_query/credentials/0';
      expect(await asked('acme.t1.two', crossDevice(asks()))).to.deep.equal([400, none]);
      const { status, body } = await create('acme.t1.three', 'eyJ');
      expect([status, body.details[0].path]).to.deep.equal([400, '/body/verifierInfo/0/data']);
    } finally {
      await world.close();
    }
  });
});

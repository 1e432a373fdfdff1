import { expect } from 'chai';
import fc from 'fast-check';
import { HttpPeer } from '../../actors/http-peer.ts';
import { jwkParty } from '../../actors/party.ts';
import { DEGREE_REQUEST, VerificationFixture } from '../../actors/verification.ts';

const SECRETS = { basicauth_username: 'credenza', basicauth_password: 'basic secret' };

describe('policies that ask other servers', () => {
  const on = new VerificationFixture();
  let peer: HttpPeer;

  before(async () => {
    peer = await new HttpPeer().listen();
  });
  after(() => peer.close());

  const vc = (policy: object | string, options: object = {}, name = 'webhook') =>
    on.line({ ...DEGREE_REQUEST, vc_policies: [policy] }, name, options);

  describe('webhook', () => {
    before(() => {
      peer.routes['/yes'] = () => ({ body: { fine: true } });
    });

    const authorization = () => peer.seen.at(-1)?.headers.authorization;

    it('sends the credentials of its argument, and shows no secret anywhere', async () => {
      const url = `${peer.url}/yes`;
      const expected: [object, string | undefined][] = [
        [{ url }, undefined],
        [{ url, ...SECRETS }, `Basic ${Buffer.from('credenza:basic secret').toString('base64')}`],
        [{ url, bearerauth_token: 'bearer secret' }, 'Bearer bearer secret'],
      ];
      for (const [args, sent] of expected) {
        const session = await on.outcome({ ...DEGREE_REQUEST, vc_policies: [{ policy: 'webhook', args }] });
        expect([session.verificationResult, authorization()]).to.deep.equal([true, sent]);
        expect(JSON.stringify(session)).to.not.include('secret');
        expect(session.policyResults.results[1].policies[0].args.url).to.equal(url);
      }
    });

    it('400: credentials that cannot be sent are refused by their member', async () => {
      const url = `${peer.url}/yes`;
      const bad: [object, string][] = [
        [{ basicauth_username: 'x' }, 'basicauth_password'],
        [{ basicauth_password: 'x' }, 'basicauth_username'],
        [{ ...SECRETS, basicauth_username: 'a:b' }, 'basicauth_username'],
        [{ ...SECRETS, bearerauth_token: 'x' }, 'bearerauth_token'],
        [{ bearerauth_token: 'a\r\nb' }, 'bearerauth_token'],
        [{ bearerauth_token: 'x'.repeat(4097) }, 'bearerauth_token'],
        [{ url: 'http://169.254.169.254/' }, 'url'],
        [{ more: 1 }, 'more'],
      ];
      for (const [more, member] of bad) {
        const json = { ...DEGREE_REQUEST, vc_policies: [{ policy: 'webhook', args: { url, ...more } }] };
        const { status, body } = await on.server.call('startVerification', { json });
        expect([status, body.details?.[0].path]).to.deep.equal([400, `/body/vc_policies/0/args/${member}`]);
      }
    });

    it('nothing is asked about a credential that failed, or that is presented for another request', async () => {
      const asked = peer.seen.length;
      const body = { ...DEGREE_REQUEST, vc_policies: [{ policy: 'webhook', args: `${peer.url}/yes` }] };
      const expired = await on.credential({ claims: { exp: 1 } });
      const lines = [
        await on.line({ ...body, vc_policies: ['expired', ...body.vc_policies] }, 'webhook', {
          credentials: [expired],
        }),
        await on.line(body, 'webhook', { claims: { nonce: 'another' } }),
        await on.line(body, 'webhook', { credentials: [await forged()] }),
      ];
      for (const line of lines) expect([line.code, line.is_success]).to.deep.equal(['not-run', false]);
      expect(lines.map(({ reason }) => reason)).to.deep.equal([
        'Not run, because the policy expired failed',
        'Not run, because the policy nonce failed',
        'Not run, because the policy signature failed',
      ]);
      expect(peer.seen.length).to.equal(asked);
    });
  });

  /** A credential that another party signed. */
  const forged = async () =>
    (await jwkParty()).sign({
      iss: on.issuer.did,
      sub: on.holder.did,
      vc: { type: ['VerifiableCredential', 'UniversityDegreeCredential'], credentialSubject: { degree: {} } },
    });

  it('dynamic: an agent of the operator decides, and keeps no rules', async () => {
    const rules: Record<string, string> = {};
    peer.other = ({ method, url, body }) => {
      const name = url.pathname.split('/').at(-1) ?? '';
      if (method === 'PUT') rules[name] = body;
      if (method === 'DELETE') delete rules[name];
      const { credentialData } = method === 'POST' ? JSON.parse(body).input : { credentialData: undefined };
      const type = credentialData?.credentialSubject?.degree?.type ?? credentialData?.vc?.credentialSubject.degree.type;
      return {
        body: method === 'POST' ? { result: { allow: rules[name] !== undefined && type === 'BachelorDegree' } } : {},
      };
    };
    const args = { policy_name: 'degree', opa_server: peer.url, rules: { rego: 'package vc.verification.degree' } };
    expect((await vc({ policy: 'dynamic', args }, {}, 'dynamic')).result).to.deep.equal({ allow: true });
    const credentials = [await on.credential({ subject: { degree: { type: 'Other' } } })];
    expect((await vc({ policy: 'dynamic', args }, { credentials }, 'dynamic')).code).to.equal('condition-not-met');
    expect(rules).to.deep.equal({});
    peer.other = () => ({ status: 404 });
    expect((await vc({ policy: 'dynamic', args }, {}, 'dynamic')).code).to.equal('unreachable');
  });

  it('an unknown policy is refused with its place, in any list', async () => {
    const place = fc.record({
      list: fc.constantFrom('vp_policies', 'vc_policies'),
      before: fc.nat({ max: 3 }),
      name: fc.string({ minLength: 1, maxLength: 20 }).map((text) => `x${text}`),
    });
    await fc.assert(
      fc.asyncProperty(place, async ({ list, before, name }) => {
        const policies = [...Array(before).fill('signature'), { policy: name }];
        const json = { ...DEGREE_REQUEST, [list]: policies };
        const { status, body } = await on.server.call('startVerification', { json });
        expect([status, body.details?.[0].path]).to.deep.equal([400, `/body/${list}/${before}`]);
      }),
      { numRuns: 15 },
    );
  });
});

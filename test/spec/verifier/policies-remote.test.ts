import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import fc from 'fast-check';
import { bitstring, encodeList } from '../../../demo/actors/status-list.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { jwkParty } from '../../actors/party.ts';
import { DEGREE_REQUEST, type PolicyLine, VerificationFixture } from '../../actors/verification.ts';

const SECRETS = { basicauth_username: 'credenza', basicauth_password: 'basic secret' };
const CACHED_MS = 6 * 60_000;

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

  describe('status lists of the issuer', () => {
    let lists = 0;

    /** Publishes a list and returns its URL; it is signed anew for each request. */
    function publish(
      claims: (url: string) => Record<string, unknown>,
      header: object = {},
      signer = on.issuer,
    ): string {
      lists += 1;
      const path = `/lists/${lists}`;
      peer.routes[path] = async () => ({ body: await signer.sign(claims(`${peer.url}${path}`), { ...header }) });
      return `${peer.url}${path}`;
    }

    const bits = (kind: 'StatusList2021' | 'BitstringStatusList', purpose: string, set: number[], signer = on.issuer) =>
      publish(
        () => ({
          iss: signer.did,
          vc: {
            type: ['VerifiableCredential', `${kind}Credential`],
            issuer: signer.did,
            credentialSubject: { type: kind, statusPurpose: purpose, encodedList: encodeList(bitstring(set)) },
          },
        }),
        { typ: undefined },
        signer,
      );

    const entry = (kind: string, purpose: string, index: number, url: string) => ({
      type: `${kind}Entry`,
      statusPurpose: purpose,
      statusListIndex: String(index),
      statusListCredential: url,
    });

    const demand = (type: string, purpose = 'revocation', value = 0) => ({
      discriminator: 'w3c',
      type,
      purpose,
      value,
    });

    async function check(args: object, content: object): Promise<PolicyLine> {
      const credentials = [await on.credential(content)];
      return vc({ policy: 'credential-status', args }, { credentials }, 'credential-status');
    }

    for (const [kind, indices] of [
      ['StatusList2021', [7, 42, 4044]],
      ['BitstringStatusList', [12_810]],
    ] as const)
      for (const index of indices)
        it(`${kind}: the entry ${index}, set and not set`, async () => {
          const [set, unset] = [bits(kind, 'revocation', [index]), bits(kind, 'revocation', [index + 1])];
          const run = async (url: string) =>
            (await check(demand(kind), { vc: { credentialStatus: entry(kind, 'revocation', index, url) } })).is_success;
          expect([await run(set), await run(unset)]).to.deep.equal([false, true]);
        });

    it('several entries: all, only the first, only the last', async () => {
      const kind = 'BitstringStatusList';
      const args = { discriminator: 'w3c-list', list: [demand(kind), demand(kind, 'suspension')] };
      const run = async (revoked: number[], suspended: number[]) => {
        const credentialStatus = [
          entry(kind, 'revocation', 12_810, bits(kind, 'revocation', revoked)),
          entry(kind, 'suspension', 6782, bits(kind, 'suspension', suspended)),
        ];
        return (await check(args, { vc: { credentialStatus } })).is_success;
      };
      expect([await run([], []), await run([12_810], []), await run([], [6782])]).to.deep.equal([true, false, false]);
    });

    it('a token list: the entry 5964, valid and not', async () => {
      const run = async (value: number) => {
        const statuses = new Uint8Array(2048);
        statuses[Math.floor(5964 / 8)] = value << (5964 % 8);
        const list = { bits: 1, lst: deflateSync(statuses).toString('base64url') };
        const iat = Math.floor(on.server.clock.now() / 1000);
        const uri = publish((sub) => ({ iss: on.issuer.did, sub, iat, status_list: list }), { typ: 'statuslist+jwt' });
        const args = { discriminator: 'ietf', value: 0 };
        return check(args, { claims: { status: { status_list: { idx: 5964, uri } } } });
      };
      expect((await run(0)).is_success).to.equal(true);
      expect((await run(1)).code).to.equal('status-set');
    });

    it('revoked-status-list: false when it is suspended, true again when that is lifted', async () => {
      const kind = 'BitstringStatusList';
      const suspended: number[] = [];
      const url = bits(kind, 'suspension', suspended);
      const credentialStatus = [
        entry(kind, 'revocation', 3, bits(kind, 'revocation', [])),
        entry(kind, 'suspension', 3, url),
      ];
      const credentials = [await on.credential({ vc: { credentialStatus } })];
      const run = async () => {
        on.server.clock.advance(CACHED_MS);
        return (await vc('revoked-status-list', { credentials }, 'revoked-status-list')).reason;
      };
      expect(await run()).to.equal('The credential is not revoked');
      suspended.push(3);
      expect(await run()).to.equal('The credential is suspended');
      suspended.pop();
      expect(await run()).to.equal('The credential is not revoked');
    });

    it('fails closed: a list that is not answered, is signed by another, or is of another purpose', async () => {
      const kind = 'BitstringStatusList';
      const stranger = await jwkParty();
      const urls: [string, string][] = [
        [`${peer.url}/none`, 'unreachable'],
        ['http://169.254.169.254/', 'unreachable'],
        [bits(kind, 'revocation', [], stranger), 'undetermined'],
        [bits(kind, 'suspension', []), 'undetermined'],
      ];
      for (const [url, code] of urls) {
        const credentialStatus = entry(kind, 'revocation', 3, url);
        const line = await check(demand(kind), { vc: { credentialStatus } });
        expect([line.is_success, line.code], url).to.deep.equal([false, code]);
      }
    });
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

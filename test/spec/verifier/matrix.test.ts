import { expect } from 'chai';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import {
  issueOf,
  licenceElements,
  type MadePresentation,
  MDL_NAMESPACE,
  MDOC_NONCE,
  presentOf,
  REQUESTED_FORMATS,
  type RequestedFormat,
  requestedOf,
  responseOf,
  TRUSTED_ROOT,
} from '../../actors/presenters.ts';
import { type PolicyLine, VerificationFixture } from '../../actors/verification.ts';
import { readRequest, responseKeyOf, type WalletRequest } from '../../actors/wallet.ts';
import { pemOf } from '../../support/trust/certificates.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';

const PROFILES = ['DEFAULT', 'HAIP', 'ISO_18013_7_MDOC', 'EBSIV3'] as const;
const MODES = ['direct_post', 'direct_post.jwt', 'none named'] as const;

interface Cell {
  profile: (typeof PROFILES)[number];
  mode: (typeof MODES)[number];
  format: RequestedFormat;
}

/** Whether a combination can be asked for: ISO 18013-7 knows nothing but mdocs, and EBSI no mdocs. */
const isPossible = ({ profile, format }: Cell): boolean =>
  format === 'mso_mdoc' ? profile !== 'EBSIV3' : profile !== 'ISO_18013_7_MDOC';

/** Whether its response is encrypted: ISO 18013-7 knows nothing else, and mdocs are where no mode is named. */
function isEncrypted({ profile, mode, format }: Cell): boolean {
  if (profile === 'ISO_18013_7_MDOC') return true;
  return mode === 'direct_post.jwt' || (mode === 'none named' && format === 'mso_mdoc');
}

const CELLS: Cell[] = PROFILES.flatMap((profile) =>
  MODES.flatMap((mode) => REQUESTED_FORMATS.map((format) => ({ profile, mode, format }))),
);

describe('submitPresentation: every profile, response mode and format', () => {
  const on = new VerificationFixture();
  const outcomes = new Map<string, string>();
  const keyOf = ({ profile, mode, format }: Cell): string => [profile, mode, format].join(' ');

  after(() => {
    const columns = REQUESTED_FORMATS.map((format) => format.padEnd(11));
    const lines = PROFILES.flatMap((profile) =>
      MODES.map((mode) => {
        const results = REQUESTED_FORMATS.map((format) =>
          (outcomes.get(keyOf({ profile, mode, format })) ?? '').padEnd(11),
        );
        return `      ${profile.padEnd(16)} ${mode.padEnd(15)} ${results.join(' ')}`;
      }),
    );
    console.log(
      [`      ${'profile'.padEnd(16)} ${'response mode'.padEnd(15)} ${columns.join(' ')}`, ...lines].join('\n'),
    );
  });

  async function start({ profile, mode }: Omit<Cell, 'format'>, formats: readonly RequestedFormat[]) {
    const json = { request_credentials: formats.map(requestedOf), trusted_root_cas: [TRUSTED_ROOT] };
    const headers = { openId4VPProfile: profile, ...(mode !== 'none named' && { responseMode: mode }) };
    return on.server.call('startVerification', { json, headers });
  }

  async function respond(request: WalletRequest, made: readonly MadePresentation[]) {
    const { vp_token: token, presentation_submission: submission, state } = responseOf(made, request);
    const key = responseKeyOf(request);
    const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
    const plain = { vp_token: text(token), presentation_submission: text(submission), state: String(state) };
    const form = key
      ? { response: await encryptedResponse(responseOf(made, request), key, { apu: MDOC_NONCE }) }
      : plain;
    return on.server.call('submitPresentation', { path: { state: request.state }, form });
  }

  for (const cell of CELLS)
    it(`${isPossible(cell) ? '200' : '400'}: ${keyOf(cell)}`, async () => {
      const { status, body } = await start(cell, [cell.format]);
      if (!isPossible(cell)) {
        expect(status).to.equal(400);
        outcomes.set(keyOf(cell), 'refused');
        return;
      }
      expect(status, JSON.stringify(body)).to.equal(200);
      const request = await on.resolve(readRequest(body));
      const responseMode = isEncrypted(cell) ? 'direct_post.jwt' : 'direct_post';
      expect([request.params.get('response_mode'), responseKeyOf(request) !== undefined]).to.deep.equal([
        responseMode,
        isEncrypted(cell),
      ]);
      const answer = await respond(request, [await presentOf(cell.format, request)]);
      const session = await on.session(request);
      expect([answer.status, session.verificationResult], JSON.stringify(answer.body)).to.deep.equal([200, true]);
      const path = { state: request.state };
      const shown = (await on.server.call('getPresentedCredentials', { path })).body.credentialsByFormat;
      expect(Object.keys(shown)).to.deep.equal([cell.format === 'jwt_vc' ? 'jwt_vc_json' : cell.format]);
      outcomes.set(keyOf(cell), 'verified');
    });

  for (const format of REQUESTED_FORMATS)
    it(`400: ${format} that was made for another request, or for another verifier`, async () => {
      for (const bound of [{ nonce: 'another' }, { audience: 'another', clientId: 'another' }]) {
        const cell = { profile: 'DEFAULT', mode: 'direct_post.jwt', format } as const;
        const request = readRequest((await start(cell, [format])).body);
        const { clientId = request.clientId, ...changes } = bound as { clientId?: string };
        const made = await presentOf(format, { ...request, clientId }, changes);
        expect((await respond(request, [made])).status).to.equal(400);
        expect((await on.session(request)).verificationResult).to.equal(false);
        expect((await on.server.call('getPresentedCredentials', { path: { state: request.state } })).status).to.equal(
          400,
        );
      }
    });

  it('400: an mdoc that is bound to another nonce of the wallet or to none, whose issuer is below no trusted authority or of another country', async () => {
    const failuresOf = async (roots: string[], apu: string | undefined, documents?: string[]) => {
      const json = { request_credentials: [requestedOf('mso_mdoc')], trusted_root_cas: roots };
      const request = readRequest((await on.server.call('startVerification', { json })).body);
      const parameters = responseOf([await presentOf('mso_mdoc', request, { documents })], request);
      const response = await encryptedResponse(parameters, responseKeyOf(request), { apu });
      const path = { state: request.state };
      expect((await on.server.call('submitPresentation', { path, form: { response } })).status).to.equal(400);
      const lines: PolicyLine[] = (await on.session(request)).policyResults.results.flatMap(
        ({ policies }: { policies: PolicyLine[] }) => policies,
      );
      return lines.filter(({ is_success: isSuccess }) => !isSuccess).map(({ policy, code }) => `${policy}: ${code}`);
    };
    expect(await failuresOf([TRUSTED_ROOT], 'another')).to.deep.equal(['signature: signature-invalid']);
    expect(await failuresOf([TRUSTED_ROOT], undefined)).to.deep.equal(['signature: undetermined']);
    for (const roots of [[], [pemOf(iaca(1).der)]])
      expect(await failuresOf(roots, MDOC_NONCE)).to.deep.equal(['signature: issuer-untrusted']);
    const foreign = await issueOf('mso_mdoc', {
      document: { [MDL_NAMESPACE]: licenceElements({ issuing_country: 'UT' }) },
    });
    expect(await failuresOf([TRUSTED_ROOT], MDOC_NONCE, [foreign])).to.deep.equal(['signature: issuer-untrusted']);
  });

  it('400: an mdoc of another type than the id of its descriptor', async () => {
    const fields = [{ path: ["$['org.iso.18013.5.1']['family_name']"], intent_to_retain: false }];
    const input_descriptor = { id: 'org.example.other', format: { mso_mdoc: {} }, constraints: { fields } };
    const json = { request_credentials: [{ format: 'mso_mdoc', input_descriptor }], trusted_root_cas: [TRUSTED_ROOT] };
    const request = readRequest((await on.server.call('startVerification', { json })).body);
    const { token } = await presentOf('mso_mdoc', request);
    const entry = (path: string) => ({ id: input_descriptor.id, format: 'mso_mdoc', path });
    expect((await respond(request, [{ token, entry }])).status).to.equal(400);
    expect((await on.session(request)).verificationResult).to.equal(false);
  });

  it('400: refuses trusted_root_cas that are no authorities', async () => {
    for (const trusted_root_cas of [['nonsense'], [TRUSTED_ROOT, '']]) {
      const json = { request_credentials: [requestedOf('mso_mdoc')], trusted_root_cas };
      const { status, body } = await on.server.call('startVerification', { json });
      expect(status).to.equal(400);
      expect(body.details[0].path).to.match(/^\/body\/trusted_root_cas\/[01]$/);
    }
  });

  it('200: credentials of three formats in one request, each in a presentation of its own', async () => {
    const formats = ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'] as const;
    const { body } = await start({ profile: 'DEFAULT', mode: 'none named' }, formats);
    const request = readRequest(body);
    const made = await Promise.all(formats.map((format) => presentOf(format, request)));
    const answer = await respond(request, made);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const { tokenResponse } = await on.session(request);
    expect(tokenResponse.vp_token).to.deep.equal(made.map(({ token }) => token));
    const path = { state: request.state };
    const shown = (await on.server.call('getPresentedCredentials', { path })).body.credentialsByFormat;
    expect(Object.keys(shown)).to.deep.equal(formats);
  });

  it('200: an mdoc in the clear is signed for this request, by any transcript that wallets know; 400: for another', async () => {
    const cell = { profile: 'DEFAULT', mode: 'direct_post' } as const;
    const cases: [number, Parameters<typeof presentOf>[2]][] = [
      [200, {}],
      [200, { mdocNonce: '' }],
      [200, { kind: 'redirect' }],
      [400, { mdocNonce: 'the nonce of a wallet that sends it nowhere' }],
      [400, { nonce: 'another' }],
      [400, { kind: 'redirect', nonce: 'another' }],
    ];
    for (const [status, bound] of cases) {
      const request = readRequest((await start(cell, ['mso_mdoc'])).body);
      const answer = await respond(request, [await presentOf('mso_mdoc', request, bound)]);
      expect([answer.status, (await on.session(request)).verificationResult], JSON.stringify(bound)).to.deep.equal([
        status,
        status === 200,
      ]);
    }
  });

  it('400: one of two formats missing', async () => {
    const formats = ['jwt_vc_json', 'mso_mdoc'] as const;
    const { body } = await start({ profile: 'DEFAULT', mode: 'none named' }, formats);
    const request = readRequest(body);
    expect((await respond(request, [await presentOf('jwt_vc_json', request)])).status).to.equal(400);
  });
});

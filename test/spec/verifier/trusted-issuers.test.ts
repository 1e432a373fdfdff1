import { expect } from 'chai';
import { derOfPem } from '../../../domain/x509/pem.ts';
import { encryptedResponse } from '../../actors/encrypted-response.ts';
import { MDOC_NONCE, presentOf, requestedOf, responseOf, TRUSTED_ROOT } from '../../actors/presenters.ts';
import { readRequest, responseKeyOf } from '../../actors/wallet.ts';
import { useServer } from '../../support/servers/server.ts';
import { iaca } from '../../support/trust/issuer-chains.ts';
import { makeVical } from '../../support/trust/trust-list-makers.ts';

describe('trusted issuers of mdocs', () => {
  const server = useServer();
  const other = iaca(7);
  const authority = { ...other, der: derOfPem(TRUSTED_ROOT) ?? new Uint8Array() };

  /** The result of a presentation and the codes of the policies that failed. */
  async function outcome(more: object) {
    const json = { request_credentials: [requestedOf('mso_mdoc')], ...more };
    const started = await server.call('startVerification', { json });
    expect(started.status, JSON.stringify(started.body)).to.equal(200);
    const request = readRequest(started.body);
    const made = await presentOf('mso_mdoc', request);
    const response = await encryptedResponse(responseOf([made], request), responseKeyOf(request), { apu: MDOC_NONCE });
    await server.call('submitPresentation', { path: { state: request.state }, form: { response } });
    const { body } = await server.call('getVerificationResult', { path: { state: request.state } });
    const lines: { is_success: boolean; policy: string; code: string }[] = body.policyResults.results.flatMap(
      ({ policies }: { policies: object[] }) => policies,
    );
    const failed = lines.filter((line) => !line.is_success).map(({ policy, code }) => `${policy}: ${code}`);
    return { result: body.verificationResult, failed };
  }

  const vicalOf = (...certificates: (typeof authority)[]) => ({
    policy: 'vical',
    args: { vical: makeVical({ entries: certificates.map((certificate) => ({ certificate })) }).toString('base64') },
  });

  it('an mdoc is refused without an anchor and below another one', async () => {
    for (const more of [{}, { trusted_root_cas: [other.pem] }]) {
      const { result, failed } = await outcome({ vc_policies: ['signature'], ...more });
      expect(result).to.equal(false);
      expect(failed).to.include('signature: issuer-untrusted');
    }
  });

  it('an mdoc is accepted below an anchor of the request', async () => {
    const anchored = await outcome({ vc_policies: ['signature'], trusted_root_cas: [TRUSTED_ROOT] });
    expect(anchored).to.deep.equal({ result: true, failed: [] });
  });

  it('a policy with a list decides in place of the anchors', async () => {
    const listed = await outcome({ vc_policies: ['signature', vicalOf(authority)] });
    expect(listed).to.deep.equal({ result: true, failed: [] });
    const vc_policies = ['signature', vicalOf(other)];
    for (const more of [{}, { trusted_root_cas: [TRUSTED_ROOT] }])
      expect(await outcome({ vc_policies, ...more })).to.deep.equal({
        result: false,
        failed: ['vical: issuer-untrusted'],
      });
  });
});

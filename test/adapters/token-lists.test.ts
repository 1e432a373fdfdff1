import { cborDecode, cborEncode } from '@owf/mdoc';
import { expect } from 'chai';
import { NodeCertificates } from '../../adapters/crypto/certificates.ts';
import { NodeSignatures } from '../../adapters/crypto/signatures.ts';
import { StatusListCwt } from '../../adapters/formats/token-status-list/status-list-cwt.ts';
import { ParsedTokenLists } from '../../adapters/formats/token-status-list/token-lists.ts';
import { PrometheusMetrics } from '../../adapters/metrics/prometheus.ts';
import { base64url } from '../../domain/foundation/bytes.ts';
import { isDomainError } from '../../domain/foundation/errors.ts';
import type { KeySources } from '../../ports/credential-formats.ts';
import { documentSignerChain, mdocSigner } from '../support/credentials/mdoc-issuer.ts';

const URL = 'https://lists.example/1';
const CLAIMS = { sub: URL, iss: 'https://issuer.example', iat: 1, exp: 9, ttl: 5, bits: 2, lst: Uint8Array.of(1, 2) };
const noKeys = {} as KeySources;

describe('a Token Status List as a CWT', () => {
  const lists = new ParsedTokenLists({
    certificates: new NodeCertificates(),
    signatures: new NodeSignatures(new PrometheusMetrics()),
  });
  let x5c: string[];
  let bytes: Uint8Array;
  const sign = async (changes: object = {}) =>
    new StatusListCwt().sign({ ...CLAIMS, kid: 'k', x5c, ...changes }, await mdocSigner());
  before(async () => {
    x5c = documentSignerChain(await mdocSigner());
    bytes = await sign();
  });
  /** The list with other parts: protected header, unprotected header, payload, signature. */
  const changed = (change: (parts: unknown[]) => unknown[]): Uint8Array =>
    cborEncode(change(cborDecode(bytes.subarray(1)) as unknown[]));
  const refusal = (body: Uint8Array) =>
    lists.parse(body, 'status_list').then(
      () => 'none',
      (error: unknown) => (isDomainError(error, 'BadRequest') ? error.message : String(error)),
    );

  it('has the claims of a JWT, and is signed by the key of its first certificate, with either tag or none', async () => {
    for (const body of [bytes, bytes.subarray(1), Uint8Array.of(0xd8, 61, ...bytes)]) {
      const list = await lists.parse(body, 'status_list');
      const { sub, iss, iat, exp, ttl } = CLAIMS;
      expect(list.claims).to.deep.equal({
        sub,
        iss,
        iat,
        exp,
        ttl,
        status_list: { bits: 2, lst: base64url(CLAIMS.lst) },
      });
      const { chain = [], issuer } = (await list.verify(noKeys)) ?? {};
      expect(chain.map(({ der }) => Buffer.from(der).toString('base64'))).to.deep.equal(x5c);
      expect(issuer).to.equal(undefined);
    }
  });

  it('has no signer without a certificate, with that of another key, or with a changed claim', async () => {
    const other = documentSignerChain(await mdocSigner('secp384r1'));
    const payload = new Map(
      cborDecode((cborDecode(bytes.subarray(1)) as [0, 0, Uint8Array])[2]) as Map<number, unknown>,
    );
    for (const body of [
      await sign({ x5c: undefined }),
      await sign({ x5c: other }),
      changed(([head, unprotected, , signature]) => [
        head,
        unprotected,
        cborEncode(payload.set(2, `${URL}0`)),
        signature,
      ]),
    ])
      expect(await (await lists.parse(body, 'status_list')).verify(noKeys)).to.equal(undefined);
  });

  it('is refused when it is of another type, has no claims, or is no COSE_Sign1', async () => {
    const typed = (typ: unknown) =>
      changed(([, ...rest]) => [
        cborEncode(
          new Map<number, unknown>([
            [1, -7],
            [16, typ],
          ]),
        ),
        ...rest,
      ]);
    expect(await refusal(typed('statuslist+jwt'))).to.include('typ');
    expect(await refusal(typed(undefined))).to.include('typ');
    const claims = changed(([head, unprotected, , signature]) => [head, unprotected, cborEncode([1]), signature]);
    expect(await refusal(claims)).to.include('not a map of claims');
    for (const body of [
      new Uint8Array(),
      Uint8Array.of(0xa0),
      bytes.subarray(0, 100),
      Buffer.from('text'),
      cborEncode([1, 2]),
    ])
      expect(await refusal(body)).to.match(/^The status list is not an acceptable CWT/);
    expect(await refusal(await sign({ lst: new Uint8Array(2 ** 21) }))).to.include('at most 2097152 bytes');
    expect(await refusal(await sign({ lst: new Uint8Array(2 ** 20) }))).to.equal('none');
  });
});

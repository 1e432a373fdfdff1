import { X509Certificate } from 'node:crypto';
import { fromBase64url } from '../../../domain/foundation/bytes.ts';
import { KEY_TYPES } from '../../../domain/jose/key-types.ts';
import type { VicalContent, VicalWriter } from '../../../ports/codecs/trust-lists.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { COSE_HEADER, coseAlgorithm, signingInput } from '../mdoc/cose.ts';

/** Writes Verified Issuer Certificate Authority Lists (ISO 18013-5 C.1.7): COSE_Sign1 with the chain of its signer. */
export class SignedVicals implements VicalWriter {
  async write({ chain, ...content }: VicalContent, signer: Signer): Promise<Uint8Array> {
    const library = await import('@owf/mdoc');
    const alg = coseAlgorithm(KEY_TYPES[signer.keyType].alg);
    const header = library.cborEncode(new Map([[COSE_HEADER.ALG, alg]]));
    const payload = library.cborEncode(payloadOf(content));
    const signature = await signer.sign(signingInput(header, payload, library));
    const unprotected = new Map([[COSE_HEADER.X5CHAIN, chain.length === 1 ? chain[0] : chain]]);
    return library.cborEncode([header, unprotected, payload, signature]);
  }
}

/** The VICAL structure (ISO 18013-5 C.1.7.1). */
const payloadOf = ({ provider, issueId, issuedAt, nextUpdate, entries }: Omit<VicalContent, 'chain'>) =>
  new Map<string, unknown>([
    ['version', '1.0'],
    ['vicalProvider', provider],
    ['date', new Date(issuedAt)],
    ['vicalIssueID', issueId],
    ...(nextUpdate === undefined ? [] : [['nextUpdate', new Date(nextUpdate)] as const]),
    ['certificateInfos', entries.map(infoOf)],
  ]);

const infoOf = ({ certificate: { der, subjectKeyId }, docTypes }: VicalContent['entries'][number]) =>
  new Map<string, unknown>([
    ['certificate', der],
    ['serialNumber', serialOf(der)],
    ['ski', fromBase64url(subjectKeyId ?? '')],
    ['docType', docTypes],
  ]);

/** In the shortest encoding (RFC 8949 §3.4.3). */
function serialOf(der: Uint8Array): bigint | number {
  const serial = BigInt(`0x${new X509Certificate(der).serialNumber}`);
  return serial > Number.MAX_SAFE_INTEGER ? serial : Number(serial);
}

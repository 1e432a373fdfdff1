import { cborEncode, type MdocContext, SessionTranscript } from '@owf/mdoc';
import { expect } from 'chai';
import fc from 'fast-check';
import { sessionTranscript } from '../../adapters/formats/mdoc/session-transcript.ts';
import { digest } from '../../domain/foundation/bytes.ts';
import type { Handover } from '../../ports/credential-formats.ts';
import { HANDOVERS } from '../support/credentials/mdoc-presenter.ts';
import { encode } from '../support/credentials/mdocs.ts';

describe('session transcripts', () => {
  const hexOf = (handover: Handover): string =>
    Buffer.from(cborEncode(sessionTranscript(handover, { cborEncode }))).toString('hex');

  it('are those of the examples of ISO 18013-7 annex B and of OpenID4VP 1.0 appendix B.2.6', () => {
    expect(HANDOVERS.slice(0, 3).map(hexOf)).to.deep.equal([
      '83f6f6835820da25c527e5fb75bc2dd31267c02237c4462ba0c1bf37071f692e7dd93b10ad0b5820f6ed8e3220d3c59a5f17eb45f48ab70aeecf9ee21744b1014982350bd96ac0c572616263646566676831323334353637383930',
      '83f6f682714f70656e494434565048616e646f7665725820048bc053c00442af9b8eed494cefdd9d95240d254b046b11b68013722aad38ac',
      '83f6f682764f70656e4944345650444341504948616e646f7665725820fbece366f4212f9762c74cfdbf83b8c69e371d5d68cea09cb4c48ca6daab761a',
    ]);
  });

  it('of annex C hash the encryption info as text with the origin', () => {
    const hash = digest('sha256', encode(['gmVkY2FwaQ', 'https://example.com']));
    expect(hexOf({ kind: 'iso-dc-api', origin: 'https://example.com', encryptionInfo: 'gmVkY2FwaQ' })).to.equal(
      `83f6f682656463617069${'5820'}${Buffer.from(hash).toString('hex')}`,
    );
  });

  it('for any texts those of OpenID4VP are what @owf/mdoc makes', async () => {
    const context = {
      crypto: { digest: ({ bytes }: { bytes: Uint8Array }) => digest('sha256', bytes) },
    } as unknown as MdocContext;
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    const key = fc.option(fc.uint8Array({ minLength: 32, maxLength: 32 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(text, text, text, text, key, async (clientId, responseUri, nonce, mdocNonce, encryptionKey) => {
        const given = { clientId, responseUri, nonce, mdocNonce, origin: clientId, encryptionKey };
        const options = { ...given, verifierGeneratedNonce: nonce, mdocGeneratedNonce: mdocNonce };
        const theirs = await Promise.all([
          SessionTranscript.forOid4VpDraft18(options, context),
          SessionTranscript.forOid4Vp({ ...options, jwkThumbprint: encryptionKey }, context),
          SessionTranscript.forOid4VpDcApi({ ...options, jwkThumbprint: encryptionKey }, context),
        ]);
        const ours = (['draft', 'redirect', 'dc-api'] as const).map((kind) => hexOf({ kind, ...given }));
        expect(ours).to.deep.equal(theirs.map((transcript) => Buffer.from(transcript.encode()).toString('hex')));
      }),
      { numRuns: 30 },
    );
  });
});

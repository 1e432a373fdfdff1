import { createHash } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { expect } from 'chai';
import fc from 'fast-check';
import { FORMATS } from '../../domain/credentials/formats/table.ts';
import { didKey } from '../../domain/dids/did-methods.ts';
import type { JsonObject } from '../../domain/foundation/json.ts';
import { signJws } from '../../domain/jose/jws.ts';
import type { CredentialToPresent, PresentationContent, PresentationFormat } from '../../ports/credential-formats.ts';
import type { Signer } from '../../ports/key-service.ts';
import { sdJwtVc } from '../support/credentials/formats.ts';
import {
  contentOf,
  framedDocuments,
  isSigned,
  newSigner,
  offline,
  packedPayload,
  signSdJwt,
} from '../support/credentials/sd-jwts.ts';

const { codec, presentations } = sdJwtVc(FORMATS['dc+sd-jwt']);
const format = presentations as PresentationFormat;

const NOW = 1_800_000_000_000;
const BOUND = { nonce: 'n-0S6_WzA2Mj', audience: 'x509_san_dns:verifier.example' };
const challenge = { ...BOUND, ...offline, now: NOW, maxAgeMs: 300_000 };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');

const contentWith = (credential: CredentialToPresent, holder: Signer, changes = {}): PresentationContent => {
  const did = didKey(holder.publicJwk);
  const kid = `${did}#${did.slice('did:key:'.length)}`;
  return { id: 'urn:uuid:1', credentials: [credential], holder: { did, kid }, ...BOUND, now: NOW, ...changes };
};

/** The SD-JWT of a presentation with another Key Binding JWT. */
async function rebound(
  presented: string,
  holder: Signer,
  { payload = {}, header = {} }: { payload?: JsonObject; header?: JsonObject } = {},
): Promise<string> {
  const sdJwt = presented.slice(0, presented.lastIndexOf('~') + 1);
  const claims = { iat: NOW / 1000, aud: BOUND.audience, nonce: BOUND.nonce, sd_hash: sha256(sdJwt), ...payload };
  return `${sdJwt}${await signJws({ typ: 'kb+jwt', ...header }, claims, holder)}`;
}

describe('presentations of SD-JWT VCs', () => {
  let issuer: Signer;
  let holder: Signer;
  let credential: string;
  before(async () => {
    [issuer, holder] = await Promise.all([newSigner(), newSigner('secp256r1')]);
    credential = await issue({ given_name: 'Ada', family_name: 'Lovelace' });
  });

  const issue = (document: JsonObject, changes = {}): Promise<string> => {
    const fields = Object.fromEntries(Object.keys(document).map((name) => [name, { sd: true }]));
    const bound = { holder: { jwk: holder.publicJwk }, selectiveDisclosure: { fields } };
    return codec.issue(contentOf(issuer, { document, ...bound, ...changes }), issuer);
  };

  const present = (given: CredentialToPresent = { document: credential }, changes = {}): Promise<string> =>
    format.present(contentWith(given, holder, changes), holder);

  /** Why the holder's signature does not count, or true. */
  async function refusal(text: string): Promise<string | true> {
    const check = await (await format.parsePresentation(text)).verifyHolder(challenge);
    return check.valid ? true : check.refusal;
  }

  it('is the credential with a key binding for the request, and both signatures are valid', async () => {
    const text = await present();
    const parsed = await format.parsePresentation(text);
    expect(parsed).to.deep.include({
      format: 'dc+sd-jwt',
      type: 'https://types.example.org/id',
      alg: 'ES256',
      holderFrom: 'credentials',
      binding: { kind: 'stated', nonce: BOUND.nonce, audience: [BOUND.audience] },
    });
    expect(parsed.credentials.map(({ claims }) => claims.family_name)).to.deep.equal(['Lovelace']);
    expect(parsed.transactionData).to.equal(undefined);
    expect(await parsed.verifyHolder(challenge)).to.deep.equal({ valid: true });
    expect(await parsed.credentials[0]?.verifyIssuer(offline)).to.include({ valid: true });
    expect([format.isPresentation(text), format.isPresentation(credential)]).to.deep.equal([true, true]);
    const other = sdJwtVc(FORMATS['vc+sd-jwt']).presentations;
    for (const not of [text, 'a.b.c~', '~', 'eyJ', credential.split('~')[0] ?? ''])
      expect(other?.isPresentation(not)).to.equal(false);
  });

  it('property: any choice of claims is presented, and the verifier sees these with what they are within, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(framedDocuments, fc.infiniteStream(fc.boolean()), async ({ document, frame }, coins) => {
        const held = await issue(document, { selectiveDisclosure: frame });
        const { withholdable = [] } = await codec.parse(held);
        const disclosed = withholdable.filter(() => coins.next().value);
        const text = await present({ document: held, disclosed });
        const parsed = await format.parsePresentation(text);
        expect(await parsed.verifyHolder(challenge)).to.deep.equal({ valid: true });
        const isShown = (path: readonly unknown[]): boolean =>
          disclosed.some(
            (one) =>
              path.slice(0, one.length).every((part, index) => part === one[index]) ||
              one.slice(0, path.length).every((part, index) => part === path[index]),
          );
        const [shown] = parsed.credentials;
        expect(shown?.withholdable).to.have.length(withholdable.filter(isShown).length);
        const texts = held.split('~').slice(1, -1);
        expect(
          text
            .split('~')
            .slice(1, -1)
            .every((one) => texts.includes(one)),
        ).to.equal(true);
      }),
      { numRuns: 40 },
    );
  });

  it('shows chosen elements of a list by their places in the whole list', async () => {
    const held = await issue(
      { nationalities: ['US', 'DE', 'FR'] },
      {
        selectiveDisclosure: {
          fields: { nationalities: { sd: true, children: { fields: { 0: { sd: true }, 1: { sd: true } } } } },
        },
      },
    );
    const shown = async (...disclosed: (string | number)[][]) =>
      (await format.parsePresentation(await present({ document: held, disclosed }))).claims.nationalities;
    expect(await shown(['nationalities', 1])).to.deep.equal(['DE', 'FR']);
    expect(await shown(['nationalities'])).to.deep.equal(['US', 'DE', 'FR']);
    expect(await shown()).to.equal(undefined);
  });

  it('invalid-kb-jwt-signature: a signature of another key is refused', async () => {
    const other = await newSigner('secp256r1');
    expect(await refusal(await rebound(await present(), other))).to.equal('signature');
    const text = await present();
    expect(await refusal(`${text.slice(0, -6)}AAAAAA`)).to.equal('signature');
    for (const alg of ['none', 'HS256', 'ES384'])
      expect(await refusal(await rebound(text, holder, { header: { alg } }))).to.equal('signature');
  });

  it('invalid-kb-jwt-nonce, invalid-kb-jwt-aud: both are stated as signed, the audience as one text', async () => {
    const text = await present();
    const bindingOf = async (payload: JsonObject) =>
      (await format.parsePresentation(await rebound(text, holder, { payload }))).binding;
    expect(await bindingOf({ nonce: 'other' })).to.include({ nonce: 'other' });
    expect(await bindingOf({ aud: 'other' })).to.deep.include({ audience: ['other'] });
    for (const aud of [[BOUND.audience], [BOUND.audience, 'other'], undefined, { 0: BOUND.audience }])
      expect(await bindingOf({ aud })).to.deep.include({ audience: [] });
  });

  it('kb-jwt-iat-in-past, kb-jwt-iat-in-future: five minutes back and one ahead are accepted, no more', async () => {
    const text = await present();
    const at = async (iat: unknown) => refusal(await rebound(text, holder, { payload: { iat } }));
    const now = NOW / 1000;
    expect([await at(now - 300), await at(now + 60)]).to.deep.equal([true, true]);
    for (const iat of [now - 301, now + 61, undefined, String(now), null, 0])
      expect(await at(iat), String(iat)).to.equal('issued-at');
    const expired = { payload: { exp: now - 61 } };
    expect(await refusal(await rebound(text, holder, expired))).to.equal('issued-at');
  });

  it('invalid-sd-hash: a hash over anything but what is presented is refused', async () => {
    const text = await present();
    for (const sd_hash of [sha256(credential.slice(0, -1)), sha256(''), undefined])
      expect(await refusal(await rebound(text, holder, { payload: { sd_hash } }))).to.equal('digest');
    const [token, first, second, keyBinding] = text.split('~');
    expect(await refusal([token, first, keyBinding].join('~'))).to.equal('digest');
    expect(await refusal([token, second, first, keyBinding].join('~'))).to.equal('digest');
  });

  it('minimal-cnf-jwk: a key with nothing but its required members confirms the holder', async () => {
    const { kty, crv, x, y } = { ...holder.publicJwk };
    const text = await signSdJwt(issuer, { cnf: { jwk: { kty, crv, x, y } } });
    expect(await refusal(await rebound(text, holder))).to.equal(true);
  });

  it('invalid-credential-signature: the issuer must have signed what is presented', async () => {
    const [token = '', ...rest] = (await present()).split('~');
    const forged = [`${token.slice(0, -6)}AAAAAA`, ...rest.slice(0, -1), ''].join('~');
    const parsed = await format.parsePresentation(await rebound(forged, holder));
    expect(await parsed.verifyHolder(challenge)).to.deep.equal({ valid: true });
    expect(await parsed.credentials[0]?.verifyIssuer(offline)).to.deep.equal({ valid: false, refusal: 'signature' });
  });

  it('a key binding of another type is refused', async () => {
    const text = await present();
    for (const typ of ['JWT', 'dc+sd-jwt', undefined, 'KB+JWT'])
      expect(await refusal(await rebound(text, holder, { header: { typ } }))).to.equal('type');
  });

  it('property: no presentation with one changed character is accepted as it was', async () => {
    const text = await present();
    const parsed = await format.parsePresentation(text);
    const said = JSON.stringify([parsed.claims, parsed.binding]);
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.constantFrom('A', 'b', '-', '~', '.', '='), async (at, other) => {
        fc.pre(text[at] !== other);
        const changed = text.slice(0, at) + other + text.slice(at + 1);
        const read = await format.parsePresentation(changed).catch(() => undefined);
        if (!read) return;
        const checks = [await read.verifyHolder(challenge), await read.credentials[0]?.verifyIssuer(offline)];
        const isAccepted =
          checks.every((check) => check?.valid) && JSON.stringify([read.claims, read.binding]) === said;
        expect(isAccepted).to.equal(false);
      }),
      { numRuns: 150 },
    );
  });

  it('a DID in cnf is confirmed by its key, and by that of a DID URL only', async () => {
    const did = didKey(holder.publicJwk);
    const kid = `${did}#${did.slice('did:key:'.length)}`;
    for (const named of [did, kid]) {
      const document = await signSdJwt(issuer, { cnf: { kid: named } });
      const text = await present({ document });
      const parsed = await format.parsePresentation(text);
      const { valid } = await parsed.verifyHolder(challenge);
      expect([parsed.holder, valid]).to.deep.equal([did, true]);
    }
    const other = await newSigner();
    const document = await signSdJwt(issuer, { cnf: { kid: didKey(other.publicJwk) } });
    expect(await refusal(await rebound(document, holder, { header: { kid } }))).to.equal('other-did');
    expect(await refusal(await rebound(await signSdJwt(issuer, {}), holder))).to.equal('no-signer');
  });

  it('is presented only with the key it is bound to, and by itself', async () => {
    const other = await newSigner('secp256r1');
    const attempt = (content: PresentationContent, signer: Signer) =>
      format.present(content, signer).catch((error: unknown) => String(error));
    expect(await attempt(contentWith({ document: credential }, other), other)).to.match(/bound to another key/);
    const two = {
      ...contentWith({ document: credential }, holder),
      credentials: Array(2).fill({ document: credential }),
    };
    expect(await attempt(two, holder)).to.match(/by itself/);
  });

  it('stands alone without a key binding, with the chosen claims, and no holder signed it', async () => {
    const alone = format.standAlone?.({ document: credential, disclosed: [['given_name']] }) ?? '';
    const parsed = await format.parsePresentation(alone);
    expect(parsed).to.deep.include({ binding: { kind: 'none' } });
    expect(parsed.credentials[0]?.claims).to.include({ given_name: 'Ada' }).and.not.have.property('family_name');
    expect(await parsed.verifyHolder(challenge)).to.deep.equal({ valid: false, refusal: 'unsigned' });
  });

  it('signs the transaction data that is given', async () => {
    const transactionData = { hashes: [sha256('a'), sha256('b')], types: ['t', 't'], algorithm: 'sha-256' };
    const parsed = await format.parsePresentation(await present(undefined, { transactionData }));
    expect(parsed.transactionData).to.deep.equal({ hashes: transactionData.hashes, algorithm: 'sha-256' });
    const empty = await rebound(await present(), holder, { payload: { transaction_data_hashes: [] } });
    expect((await format.parsePresentation(empty)).transactionData).to.deep.equal({ hashes: [], algorithm: undefined });
  });

  it('what cannot be read names vp_token', async () => {
    const text = await present();
    const long = await signJws({ typ: 'kb+jwt' }, { more: 'x'.repeat(16_384) }, holder);
    const cases = [`${text}.`, `${credential}x`, `${credential}${long}`, `${text}~`, text.split('~').slice(-1).join()];
    for (const one of cases) {
      const error = await format.parsePresentation(one).catch((refused: unknown) => refused);
      expect(String(error), one.slice(-20)).to.match(/vp_token: /);
    }
  });

  describe('with @sd-jwt/sd-jwt-vc', () => {
    const library = () =>
      new SDJwtVcInstance({
        hasher: (data) =>
          createHash('sha256')
            .update(typeof data === 'string' ? data : new Uint8Array(data))
            .digest(),
        hashAlg: 'sha-256',
        signAlg: 'ES256',
        kbSignAlg: 'ES256',
        saltGenerator: () => 'c2FsdHNhbHRzYWx0c2FsdA',
        verifier: async (data, signature) => isSigned(`${data}.${signature}`, issuer.publicJwk),
        kbVerifier: async (data, signature) => isSigned(`${data}.${signature}`, holder.publicJwk),
        kbSigner: async (data) => Buffer.from(await holder.sign(Buffer.from(data))).toString('base64url'),
      });

    it('it verifies what we present', async () => {
      const text = await present({ document: credential, disclosed: [['given_name']] });
      const { payload, kb } = await library().verify(text, {
        requiredClaimKeys: ['given_name'],
        keyBindingNonce: BOUND.nonce,
        currentDate: NOW / 1000,
      });
      expect(payload).to.include({ given_name: 'Ada' }).and.not.have.property('family_name');
      expect(kb?.payload).to.include({ aud: BOUND.audience });
    });

    it('we verify what it presents', async () => {
      const kb = { payload: { iat: NOW / 1000, aud: BOUND.audience, nonce: BOUND.nonce } };
      const text = await library().present(credential, { family_name: true } as never, { kb });
      const parsed = await format.parsePresentation(text);
      expect(await parsed.verifyHolder(challenge)).to.deep.equal({ valid: true });
      expect(parsed.claims).to.include({ family_name: 'Lovelace' }).and.not.have.property('given_name');
      expect(packedPayload(text)).to.deep.equal(packedPayload(credential));
    });
  });
});

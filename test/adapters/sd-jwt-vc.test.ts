import { expect } from 'chai';
import fc from 'fast-check';
import { FORMATS } from '../../domain/credentials/formats/table.ts';
import { didKey } from '../../domain/dids/did-methods.ts';
import { fingerprint } from '../../domain/foundation/bytes.ts';
import { thumbprint, withKid } from '../../domain/jose/jwk.ts';
import { KEY_TYPE_NAMES } from '../../domain/jose/key-types.ts';
import type { CredentialContent, DisclosureFrame } from '../../ports/credential-formats.ts';
import type { Signer } from '../../ports/key-service.ts';
import { testFormats } from '../support/credentials/formats.ts';
import {
  contentOf,
  countDigests,
  disclosuresOf,
  framedDocuments,
  judged,
  newSigner,
  offline,
  packedPayload,
} from '../support/credentials/sd-jwts.ts';

const { codec } = testFormats.get('dc+sd-jwt');
const ISSUED_AT = 1_700_000_000;

describe('SD-JWT VC', () => {
  let signer: Signer;
  let holder: Signer;

  before(async () => {
    [signer, holder] = [await newSigner(), await newSigner('secp256r1')];
  });

  const issue = (changes: Partial<CredentialContent> = {}) =>
    codec.issue(contentOf(signer, { holder: { jwk: holder.publicJwk }, ...changes }), signer);

  /** What the issuer adds to every document. */
  const added = () => ({
    iat: ISSUED_AT,
    iss: didKey(signer.publicJwk),
    vct: 'https://types.example.org/id',
    cnf: { jwk: withKid(holder.publicJwk) },
  });

  it('issuing any document with any frame that fits it and parsing it gives the document', async () => {
    await fc.assert(
      fc.asyncProperty(framedDocuments, async ({ document, frame }) => {
        const text = await issue({ document, selectiveDisclosure: frame });
        const parsed = await codec.parse(text);
        expect(parsed.claims).to.deep.equal({ ...document, ...added() });
        expect(await judged(text, signer.publicJwk)).to.deep.equal(parsed.claims);
      }),
      { numRuns: 150 },
    );
  });

  it('claims whose disclosures are removed are absent, all others are as before', async () => {
    await fc.assert(
      fc.asyncProperty(framedDocuments, fc.infiniteStream(fc.boolean()), async ({ document, frame }, choices) => {
        const whole = await issue({ document, selectiveDisclosure: frame });
        const shown = withDisclosures(whole, () => choices.next().value === true);
        const parsed = await codec.parse(shown);
        expect(parsed.withholdable).to.have.length(disclosuresOf(shown).length);
        expect(parsed.claims).to.deep.equal(await judged(shown, signer.publicJwk));
        const { claims: least } = await codec.parse(withDisclosures(whole, () => false));
        const always = Object.entries(document).filter(([name]) => frame.fields[name]?.sd !== true);
        expect(Object.keys(least)).to.have.members([...always.map(([name]) => name), ...Object.keys(added())]);
      }),
      { numRuns: 150 },
    );
  });

  it('every salt has 128 bits and stands once; digests are the disclosures and the decoys asked for', async () => {
    await fc.assert(
      fc.asyncProperty(framedDocuments, async ({ document, frame }) => {
        const fixed = withoutRandom(frame);
        const text = await issue({ document, selectiveDisclosure: fixed });
        const disclosures = disclosuresOf(text);
        const salts = disclosures.map(([salt]) => String(salt));
        expect(new Set(salts).size).to.equal(salts.length);
        for (const salt of salts) expect(Buffer.from(salt, 'base64url')).to.have.length(16);
        expect(disclosures.length).to.equal(countFields(fixed));
        const inside = disclosures.reduce((sum, parts) => sum + countDigests(parts.at(-1)), 0);
        expect(countDigests(packedPayload(text)) + inside).to.equal(disclosures.length + countDecoys(fixed));
      }),
      { numRuns: 100 },
    );
  });

  it('RANDOM decoys are from 1 to the number, and the digests of an object stand in an order that says nothing', async () => {
    const counts = new Set<number>();
    for (let run = 0; run < 60; run += 1) {
      const frame: DisclosureFrame = { fields: { given_name: { sd: true } }, decoyMode: 'RANDOM', decoys: 3 };
      const { _sd: digests } = packedPayload(await issue({ selectiveDisclosure: frame }));
      if (!Array.isArray(digests)) throw new Error('There are no digests');
      counts.add(digests.length - 1);
      expect(digests).to.deep.equal([...digests].sort());
    }
    expect([...counts].sort()).to.deep.equal([1, 2, 3]);
  });

  it('list elements are named by their positions, and members below a withheld one can be withheld too', async () => {
    const document = { nationalities: ['US', 'DE'], address: { street: 'A', city: 'B' } };
    const selectiveDisclosure: DisclosureFrame = {
      fields: {
        nationalities: { sd: false, children: { fields: { 1: { sd: true } } } },
        address: { sd: true, children: { fields: { city: { sd: true } } } },
      },
    };
    const text = await issue({ document, selectiveDisclosure });
    const { withholdable = [] } = await codec.parse(text);
    expect([...withholdable].sort()).to.deep.equal([['address'], ['address', 'city'], ['nationalities', 1]]);
    const withoutGerman = await codec.parse(withDisclosures(text, (parts) => !parts.includes('DE')));
    expect(withoutGerman.claims.nationalities).to.deep.equal(['US']);
    const withoutCity = await codec.parse(withDisclosures(text, (parts) => !parts.includes('city')));
    expect(withoutCity.claims.address).to.deep.equal({ street: 'A' });
  });

  it('the issuer, the type, the holder and the digest algorithm are ours, and members of the data with their names are not', async () => {
    const document = { iss: 'did:example:other', vct: 'other', cnf: { jwk: {} }, name: 'Ada' };
    const text = await issue({
      document,
      claims: { nbf: ISSUED_AT },
      status: { status_list: { idx: 1, uri: 'https://s' } },
    });
    expect(packedPayload(text)).to.deep.equal({
      ...added(),
      name: 'Ada',
      nbf: ISSUED_AT,
      status: { status_list: { idx: 1, uri: 'https://s' } },
      _sd_alg: 'sha-256',
    });
    const parsed = await codec.parse(text);
    expect(parsed.status).to.deep.equal([{ kind: 'status_list', value: { idx: 1, uri: 'https://s' } }]);
    expect(parsed.validity.starts.map(({ key }) => key)).to.deep.equal(['nbf', 'iat']);
    expect(parsed.holder?.jwk && thumbprint(parsed.holder.jwk)).to.equal(thumbprint(holder.publicJwk));
    expect(parsed.issuer).to.deep.equal({ kind: 'did', id: didKey(signer.publicJwk) });
  });

  it('a holder without a key is named by DID, and one without either is not named', async () => {
    const did = didKey(holder.publicJwk);
    const named = await codec.parse(await issue({ holder: { did } }));
    expect(named.holder).to.deep.equal({ did });
    expect((await codec.parse(await issue({ holder: {} }))).holder).to.equal(undefined);
  });

  it('each of the two formats has its own typ and parses no other', async () => {
    for (const name of ['vc+sd-jwt', 'dc+sd-jwt'] as const) {
      const other = testFormats.get(name === 'vc+sd-jwt' ? 'dc+sd-jwt' : 'vc+sd-jwt');
      const text = await testFormats.get(name).codec.issue(contentOf(signer), signer);
      expect(JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()).typ).to.equal(name);
      expect((await testFormats.parse(text)).format).to.equal(name);
      expect(await codeOf(other.codec.parse(text))).to.equal('BadRequest');
      expect(await codeOf(testFormats.standard.codec.parse(text))).to.equal('BadRequest');
    }
    expect(FORMATS['vc+sd-jwt'].typePaths).to.deep.equal(['$.vct']);
  });

  it('a key of each type signs what an independent library and our own verification accept', async () => {
    for (const keyType of KEY_TYPE_NAMES) {
      const key = await newSigner(keyType);
      const selectiveDisclosure: DisclosureFrame = { fields: { given_name: { sd: true } } };
      const text = await codec.issue(contentOf(key, { selectiveDisclosure }), key);
      expect((await judged(text, key.publicJwk)).given_name, keyType).to.equal('Ada');
      const parsed = await codec.parse(text);
      expect(await parsed.verifyIssuer(offline), keyType).to.include({ valid: true });
    }
  });

  it('refuses a frame or a document that cannot be issued, naming the member, and signs nothing', async () => {
    const cases: [Partial<CredentialContent>, RegExp][] = [
      [
        { selectiveDisclosure: { fields: { vct: { sd: true } } } },
        /selectiveDisclosure\.fields\.vct: is always disclosed/,
      ],
      [{ selectiveDisclosure: { fields: { other: { sd: true } } } }, /fields\.other: names no member/],
      [{ document: { _sd: [] } }, /_sd: is no name/],
      [{ document: { a: [{ '...': 'x' }] } }, /a\[0\]\.\.\.\.: is no name/],
      [{ document: { a: { constructor: 1 } } }, /a\.constructor: is no name/],
      [{ claims: { _sd_alg: 'md5' } }, /_sd_alg: is no name/],
      [{ type: undefined }, /has no vct/],
    ];
    const silent: Signer = { ...signer, sign: () => Promise.reject(new Error('signed')) };
    for (const [changes, message] of cases) {
      const error = await codec.issue(contentOf(signer, changes), silent).catch((reason) => reason);
      expect(error.code, String(message)).to.equal('BadRequest');
      expect(error.message).to.match(message);
    }
  });
});

const codeOf = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    () => undefined,
    (error) => error.code,
  );

/** Keeps the disclosures that are chosen and those within them that are chosen too. */
function withDisclosures(text: string, isChosen: (decoded: unknown[]) => boolean): string {
  const [token = '', ...rest] = text.split('~');
  const encoded = rest.slice(0, -1);
  const decoded = disclosuresOf(text);
  const shown = (within: unknown): string[] =>
    encoded.flatMap((part, index) => {
      const parts = decoded[index] ?? [];
      const isWithin = JSON.stringify(within).includes(`"${fingerprint(part)}"`);
      return isWithin && isChosen(parts) ? [part, ...shown(parts.at(-1))] : [];
    });
  return [token, ...shown(packedPayload(text)), ''].join('~');
}

const withoutRandom = ({ fields, decoyMode, decoys }: DisclosureFrame): DisclosureFrame => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, { sd, children }]) => [
      name,
      { sd, ...(children && { children: withoutRandom(children) }) },
    ]),
  ),
  decoyMode: decoyMode === 'RANDOM' ? 'FIXED' : decoyMode,
  decoys,
});

const countFields = ({ fields }: DisclosureFrame): number =>
  Object.values(fields).reduce((sum, { sd, children }) => sum + Number(sd) + (children ? countFields(children) : 0), 0);

const countDecoys = ({ fields, decoyMode, decoys = 0 }: DisclosureFrame): number =>
  Object.values(fields).reduce(
    (sum, { children }) => sum + (children ? countDecoys(children) : 0),
    decoyMode === 'FIXED' ? decoys : 0,
  );

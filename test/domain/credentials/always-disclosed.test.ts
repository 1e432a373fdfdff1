import { expect } from 'chai';
import fc from 'fast-check';
import { JWT_VC_RULES } from '../../../adapters/formats/jwt-vc/disclosures.ts';
import { checkDisclosure } from '../../../domain/credentials/disclosure-frame.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { discloseClaims, type SdJwtRules } from '../../../domain/credentials/sd-jwt.ts';
import { readablePath } from '../../../domain/foundation/field-paths.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { DisclosureFrame } from '../../../ports/credential-formats.ts';
import { disclosure } from '../../support/credentials/sd-jwts.ts';

const SD_JWT_VC_RULES: SdJwtRules = { name: 'A', alwaysDisclosed: FORMATS['dc+sd-jwt'].alwaysDisclosed };

/** The claims that the standards and the decisions name, written out. */
const NAMED: [string, SdJwtRules, string[]][] = [
  ['an SD-JWT VC', SD_JWT_VC_RULES, 'iss nbf exp cnf vct vct#integrity aka_vcts status'.split(' ')],
  [
    'a W3C credential, beside and in vc',
    JWT_VC_RULES,
    'iss sub nbf exp status vc.@context vc.type vc.issuer vc.credentialStatus vc.credentialSchema vc.expirationDate vc.validUntil'.split(
      ' ',
    ),
  ],
  [
    'a W3C credential of the data model 2.0',
    JWT_VC_RULES,
    '@context type issuer credentialStatus credentialSchema expirationDate validUntil'.split(' '),
  ],
];

const claimOf = (names: string[]) => fc.constantFrom(...names.map((name) => name.split('.')));

/** Members and positions on the way down from a claim; `0` is the only element of a list. */
const ways = fc.array(fc.constantFrom<string | number>('jwk', 'status_list', 'id', 0), { maxLength: 12 });

/** A value with this one at the end of a way. */
const nested = (way: readonly (string | number)[], value: unknown): unknown =>
  way.reduceRight<unknown>((inner, step) => (step === 0 ? [inner] : { other: 1, [step]: inner }), value);

/** An object or list that has the digest of a disclosure. */
const holdersOf = (digest: string, isElement: boolean) => (isElement ? ['a', { '...': digest }] : { _sd: [digest] });

const read = (payload: unknown, disclosures: string[], rules: SdJwtRules) => () =>
  discloseClaims({ payload: payload as JsonObject, disclosures }, rules);

for (const [of, rules, names] of NAMED)
  describe(`what is always disclosed of ${of}`, () => {
    it('no claim of it has a digest at any depth, of a disclosure, of a withheld claim or of none', () => {
      fc.assert(
        fc.property(claimOf(names), ways, fc.boolean(), fc.boolean(), (claim, way, isElement, isShown) => {
          const { text, digest } = isElement ? disclosure('x') : disclosure('uri', 'x');
          const payload = nested([...claim, ...way], holdersOf(digest, isElement));
          expect(read(payload, isShown ? [text] : [], rules)).to.throw('may not be selectively disclosable');
        }),
      );
      for (const name of names)
        expect(read(nested(name.split('.'), { _sd: [] }), [], rules), name).to.throw('selectively disclosable');
    });

    it('no claim of it is a disclosure, nor within one', () => {
      fc.assert(
        fc.property(claimOf(names), fc.nat({ max: 1 }), (claim, above) => {
          const place = claim.slice(0, Math.max(1, claim.length - above));
          const [name = '', value] = [place.at(-1), nested(claim.slice(place.length), 'x')];
          const { text, digest } = disclosure(name, value);
          const payload = nested(place.slice(0, -1), { _sd: [digest] });
          expect(read(payload, [text], rules)).to.throw('may not be selectively disclosable');
        }),
      );
    });

    it('other claims have disclosures at any depth, members with these names among them', () => {
      fc.assert(
        fc.property(claimOf(names), ways, (claim, way) => {
          const { text, digest } = disclosure(claim.at(-1), 'x');
          const payload = { data: nested(way, { _sd: [digest] }) };
          expect(read(payload, [text], rules)().withholdable).to.deep.equal([['data', ...way, claim.at(-1)]]);
        }),
      );
    });

    it('no frame hides a claim of it, or a part of one, with disclosures or decoys', () => {
      const alwaysDisclosed = rules.alwaysDisclosed;
      const frameAt = (place: readonly string[], end: DisclosureFrame): DisclosureFrame =>
        place.reduceRight<DisclosureFrame>((children, name) => ({ fields: { [name]: { sd: false, children } } }), end);
      fc.assert(
        fc.property(claimOf(names), ways, fc.boolean(), (claim, way, withDecoys) => {
          const document = nested([...claim, ...way], { uri: 'x' }) as JsonObject;
          const end: DisclosureFrame = withDecoys
            ? { fields: {}, decoyMode: 'RANDOM', decoys: 1 }
            : { fields: { uri: { sd: true } } };
          const place = [...claim, ...way].map(String);
          const path = place.flatMap((name) => ['fields', name, 'children']);
          const where = readablePath([...path, ...(withDecoys ? ['decoys'] : ['fields', 'uri'])]);
          const check = () => checkDisclosure(frameAt(place, end), { document, alwaysDisclosed });
          expect(check).to.throw(`${where}: `).with.property('message').that.includes('always disclosed');
        }),
      );
    });
  });

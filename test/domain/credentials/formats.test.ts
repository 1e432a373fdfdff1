import { expect } from 'chai';
import fc from 'fast-check';
import { eventText, reportedCredential } from '../../../domain/credentials/formats/facts.ts';
import { CredentialFormats } from '../../../domain/credentials/formats/formats.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { TOY_FORMAT } from '../../support/credentials/toy-format.ts';

const formats = new CredentialFormats(testFormats.standard, ...testFormats.all.slice(1), TOY_FORMAT);
const supported = fc.constantFrom(...formats.all);

describe('the formats of an installation', () => {
  it('every name and alias of a row leads to it, and has its name as canonical name', () => {
    fc.assert(
      fc.property(supported, (row) => {
        for (const name of [row.name, ...(row.aliases ?? [])]) {
          expect(formats.supported(name)).to.equal(row);
          expect(formats.get(name)).to.equal(row);
          expect(formats.canonicalName(name)).to.equal(row.name);
        }
        for (const name of row.presentation?.names ?? []) {
          expect(formats.ofPresentation(name)).to.equal(row);
          expect(formats.canonicalName(name)).to.equal(row.presentation?.names[0]);
        }
      }),
    );
  });

  it('the canonical name of a name is canonical, and that of an unknown name is the name', () => {
    const names = fc.oneof(
      fc.string(),
      fc.constantFrom('jwt_vc', 'jwt_vp', 'ldp', 'mso_mdoc', 'toy_vp', 'constructor'),
    );
    fc.assert(
      fc.property(names, (name) => {
        const canonical = formats.canonicalName(name);
        expect(formats.canonicalName(canonical)).to.equal(canonical);
        if (!formats.known(name) && !formats.ofPresentation(name)) expect(canonical).to.equal(name);
      }),
    );
  });

  it('an event writes a credential as its row says, and the credential is read back from it', () => {
    const credential = fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
    fc.assert(
      fc.property(supported, credential, ({ name, events }, text) => {
        const written = eventText(events, text);
        expect(written).to.equal(name === 'mso_mdoc' ? Buffer.from(text, 'base64url').toString('hex') : text);
        expect(reportedCredential(events, written)).to.equal(text);
      }),
    );
  });

  it('formats without a codec are known by name and not supported', () => {
    for (const name of ['jwt', 'ldp_vc', 'ldp']) {
      expect(formats.known(name), name).to.have.property('selector');
      expect(formats.supported(name), name).to.equal(undefined);
      expect(() => formats.get(name), name).to.throw(`The format ${name} is not available`);
    }
  });

  it('a format whose credentials cannot be presented is supported, and refused where it would be presented', () => {
    const { presentations: _codec, presentation: _facts, ...unpresented } = testFormats.get('dc+sd-jwt');
    const some = new CredentialFormats(testFormats.standard, unpresented);
    expect(some.get('dc+sd-jwt')).to.include({ selector: 'vct', configurationSuffix: '_dc+sd-jwt' });
    expect(() => some.presentable('dc+sd-jwt')).to.throw('the format dc+sd-jwt cannot be presented yet');
    expect(testFormats.presentable('dc+sd-jwt')).to.equal(testFormats.get('dc+sd-jwt'));
  });

  it('the first row is the standard, also for a presentation that no format recognizes', () => {
    expect(formats.standard.name).to.equal(FORMATS.jwt_vc_json.name);
    expect(formats.presentedIn('toyshow~e30~AA')).to.equal(TOY_FORMAT);
    for (const text of ['eyJhbGciOiJFUzI1NiJ9.e30.AA', '"eyJ.e30.AA"', 'nonsense', ''])
      expect(formats.presentedIn(text).name, text).to.equal('jwt_vc_json');
  });
});

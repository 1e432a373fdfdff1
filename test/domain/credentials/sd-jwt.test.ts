import { expect } from 'chai';
import fc from 'fast-check';
import { topClaims } from '../../../domain/credentials/always-disclosed.ts';
import { discloseClaims, isSdJwt, parseSdJwt, SD_JWT_BOUNDS } from '../../../domain/credentials/sd-jwt.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import type { Signer } from '../../../ports/key-service.ts';
import { disclosure, newSigner, signSdJwt } from '../../support/credentials/sd-jwts.ts';

const RULES = { name: 'The credential', alwaysDisclosed: topClaims(['iss', 'vct']) };
const disclose = (payload: JsonObject, ...disclosures: string[]) => discloseClaims({ payload, disclosures }, RULES);
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const DECOY = 'A'.repeat(43);

describe('disclosures of an SD-JWT', () => {
  it('puts members and list elements in their places, leaves out what is withheld, and names what can be', () => {
    const city = disclosure('city', 'B');
    const address = disclosure('address', { street: 'A', _sd: [city.digest] });
    const [us, de] = [disclosure('US'), disclosure('DE')];
    const payload = {
      _sd: [address.digest, DECOY],
      _sd_alg: 'sha-256',
      list: [{ '...': us.digest }, 'FR', { '...': de.digest }, { '...': `B${DECOY.slice(1)}` }],
    };
    const { places, ...shown } = disclose(payload, de.text, address.text, city.text);
    expect(places.get(de.digest)).to.deep.equal(['list', 1]);
    expect(shown).to.deep.equal({
      claims: { list: ['FR', 'DE'], address: { street: 'A', city: 'B' } },
      withholdable: [['list', 1], ['address'], ['address', 'city']],
    });
    expect(disclose(payload).claims).to.deep.equal({ list: ['FR'] });
  });

  it('reads the disclosures and digests of RFC 9901 §4.2, with the white space that the issuer wrote', () => {
    const family = 'WyJfMjZiYzRMVC1hYzZxMktJNmNCVzVlcyIsICJmYW1pbHlfbmFtZSIsICJNw7ZiaXVzIl0';
    const digest = 'X9yH0Ajrdm1Oij4tWso9UzzKJvPoDxwmuEcO3XAdRC0';
    expect(disclose({ _sd: [digest] }, family).claims).to.deep.equal({ family_name: 'Möbius' });
    const element = 'WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIkZSIl0';
    const place = { '...': 'w0I8EKcdCtUPkGCNUrfwVp2xEgNjtoIDlOxc9-PlOhs' };
    expect(disclose({ nationalities: ['DE', place] }, element).claims).to.deep.equal({ nationalities: ['DE', 'FR'] });
  });

  it('refuses a disclosure or digest that stands twice, anywhere', () => {
    const one = disclosure('name', 'A');
    expect(() => disclose({ _sd: [one.digest] }, one.text, one.text)).to.throw('a disclosure stands twice');
    expect(() => disclose({ _sd: [one.digest, one.digest] }, one.text)).to.throw('a digest stands twice');
    expect(() => disclose({ _sd: [one.digest], inner: { _sd: [one.digest] } }, one.text)).to.throw('stands twice');
    expect(() => disclose({ _sd: [DECOY], list: [{ '...': DECOY }] })).to.throw('a digest stands twice');
    const nested = disclosure('outer', { _sd: [one.digest] });
    expect(() => disclose({ _sd: [nested.digest, one.digest] }, nested.text, one.text)).to.throw('stands twice');
  });

  it('refuses disclosures that nothing references, also when they reference each other', () => {
    const inner = disclosure('inner', 1);
    const outer = disclosure('outer', { _sd: [inner.digest] });
    expect(() => disclose({ name: 'A' }, inner.text)).to.throw('a disclosure is not referenced');
    expect(() => disclose({ _sd: [DECOY] }, outer.text, inner.text)).to.throw('a disclosure is not referenced');
    const itself = disclosure('itself', { _sd: [DECOY] });
    expect(() => disclose({ _sd: [DECOY] }, itself.text)).to.throw('a disclosure is not referenced');
  });

  it('refuses a disclosure that gives a member a second value, or has a name no claim can have', () => {
    const name = disclosure('name', 'B');
    expect(() => disclose({ name: 'A', _sd: [name.digest] }, name.text)).to.throw('the member name has two values');
    const again = disclosure('name', 'C');
    expect(() => disclose({ _sd: [name.digest, again.digest] }, name.text, again.text)).to.throw('two values');
    for (const forbidden of ['_sd', '...', '_sd_alg', '__proto__']) {
      const bad = disclosure(forbidden, [DECOY]);
      expect(() => disclose({ _sd: [bad.digest] }, bad.text), forbidden).to.throw('a name that no claim can have');
    }
    const issuer = disclosure('iss', 'did:example:a');
    expect(() => disclose({ _sd: [issuer.digest] }, issuer.text)).to.throw('iss may not be selectively disclosable');
    const place = disclosure('place', { _sd: [issuer.digest] });
    expect(disclose({ _sd: [place.digest] }, place.text, issuer.text).claims).to.deep.equal({
      place: { iss: 'did:example:a' },
    });
  });

  it('refuses digests where they mean nothing, and disclosures of the other kind', () => {
    const [member, element] = [disclosure('name', 'A'), disclosure('A')];
    const cases: [JsonObject, string[]][] = [
      [{ _sd: member.digest }, [member.text]],
      [{ _sd: null }, []],
      [{ _sd: [1] }, []],
      [{ list: [{ '...': 1 }] }, []],
      [{ list: [{ '...': element.digest, more: 1 }] }, [element.text]],
      [{ '...': element.digest }, [element.text]],
      [{ inner: { '...': element.digest } }, [element.text]],
      [{ _sd: [element.digest] }, [element.text]],
      [{ list: [{ '...': member.digest }] }, [member.text]],
      [{ inner: { _sd_alg: 'sha-256' } }, []],
      [{ _sd_alg: 'md5' }, []],
      [{ _sd_alg: null }, []],
    ];
    for (const [payload, disclosures] of cases)
      expect(() => disclose(payload, ...disclosures), JSON.stringify(payload)).to.throw(/^The credential/);
  });

  it('refuses disclosures that are not a list of salt, name and value', () => {
    for (const value of [{}, 'a', [], ['salt'], [1, 'name', 'A'], ['s', 1, 'A'], ['s', 'n', 'v', 'more']])
      expect(() => disclose({ _sd: [DECOY] }, encode(value)), JSON.stringify(value)).to.throw(/a disclosure/);
    const { text } = disclosure('name', 'A');
    for (const bad of [`${text}=`, `${text}A`, text.replace(/.$/, '+'), '', 'AA', encode('x').slice(0, -1)])
      expect(() => disclose({ _sd: [DECOY] }, bad), bad).to.throw(/^The credential: /);
    const twice = Buffer.from('["s","name",{"a":1,"a":2}]').toString('base64url');
    expect(() => disclose({ _sd: [DECOY] }, twice)).to.throw('appears twice');
  });

  it('refuses what is deeper, longer or more than it may be', () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : { a: nest(depth - 1) });
    const { depth, digests, disclosures, characters } = SD_JWT_BOUNDS;
    const inner = disclosure('inner', nest(40));
    expect(() => disclose({ a: nest(depth) })).to.throw('nested deeper');
    const outer = disclosure('outer', { a: { a: { a: { _sd: [inner.digest] } } } });
    expect(disclose({ _sd: [outer.digest] }, outer.text, inner.text).withholdable).to.have.length(2);
    const buried = { _sd: [outer.digest] };
    const deep = Array.from({ length: 24 }).reduce<JsonObject>((value) => ({ a: value }), buried);
    expect(() => disclose(deep, outer.text, inner.text)).to.throw('nested deeper');
    const many = Array.from({ length: digests + 1 }, (_, index) => `${DECOY}${index}`);
    expect(() => disclose({ _sd: many })).to.throw(`at most ${digests} digests`);
    expect(disclose({ _sd: many.slice(1) }).claims).to.deep.equal({});
    expect(() => parseSdJwt(`a.b.c~${'A~'.repeat(disclosures + 1)}`, RULES)).to.throw(
      `at most ${disclosures} disclosures`,
    );
    expect(() => parseSdJwt(`${'a'.repeat(characters)}~`, RULES)).to.throw(`at most ${characters} characters`);
  });
});

describe('the text of an SD-JWT', () => {
  let signer: Signer;
  before(async () => {
    signer = await newSigner();
  });

  it('ends with ~ and has no key binding', async () => {
    const { text: part, digest } = disclosure('name', 'A');
    const text = await signSdJwt(signer, { _sd: [digest] }, { disclosures: [part] });
    expect(parseSdJwt(text, RULES).claims).to.include({ name: 'A' });
    expect(isSdJwt(text)).to.equal(true);
    expect(() => parseSdJwt(text.slice(0, -1), RULES)).to.throw('a key binding');
    expect(() => parseSdJwt(`${text}${text.split('~')[0]}`, RULES)).to.throw('a key binding');
    expect(() => parseSdJwt(text.split('~')[0] ?? '', RULES)).to.throw('does not end with ~');
    expect(() => parseSdJwt(`${text}~`, RULES)).to.throw('not canonical base64url');
  });

  it('no change of one character is read as the same claims', async () => {
    const { text: part, digest } = disclosure('name', 'A');
    const text = await signSdJwt(signer, { _sd: [digest] }, { disclosures: [part] });
    const start = text.indexOf('~');
    const claims = JSON.stringify(parseSdJwt(text, RULES).claims);
    fc.assert(
      fc.property(
        fc.integer({ min: start, max: text.length - 1 }),
        fc.constantFrom('A', 'b', '_', '~', '.', '='),
        (at, other) => {
          fc.pre(text[at] !== other);
          const changed = text.slice(0, at) + other + text.slice(at + 1);
          let read: string | undefined;
          try {
            read = JSON.stringify(parseSdJwt(changed, RULES).claims);
          } catch {
            read = undefined;
          }
          expect(read).to.not.equal(claims);
        },
      ),
    );
  });
});

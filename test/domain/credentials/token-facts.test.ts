import { expect } from 'chai';
import fc from 'fast-check';
import { readCredentialFacts, readPresentationFacts } from '../../../domain/credentials/token-facts.ts';
import { isSameJson, type JsonObject } from '../../../domain/foundation/json.ts';

type Token = { header: JsonObject; payload: JsonObject };

/** A place of a token, and the forms in which a name may stand there. */
interface Place {
  path: string[];
  forms: ((name: string) => unknown)[];
}

const text = (name: string): unknown => name;
const withId = (id: string): unknown => ({ id, name: 'n' });

const textAt = (...path: string[]): Place => ({ path, forms: [text] });
const partyAt = (...path: string[]): Place => ({ path, forms: [text, withId] });

/** Every place that names the same thing, by the thing. */
const CREDENTIAL_PLACES: Record<string, Place[]> = {
  issuer: [
    textAt('payload', 'iss'),
    textAt('header', 'iss'),
    partyAt('payload', 'vc', 'issuer'),
    partyAt('payload', 'issuer'),
  ],
  subject: [
    textAt('payload', 'sub'),
    textAt('header', 'sub'),
    { path: ['payload', 'vc', 'credentialSubject'], forms: [withId] },
    { path: ['payload', 'credentialSubject'], forms: [withId] },
  ],
  id: [textAt('payload', 'jti'), textAt('payload', 'vc', 'id'), textAt('payload', 'id')],
};

const PRESENTATION_PLACES: Record<string, Place[]> = {
  holder: [
    textAt('payload', 'iss'),
    textAt('header', 'iss'),
    textAt('payload', 'sub'),
    textAt('header', 'sub'),
    partyAt('payload', 'vp', 'holder'),
    partyAt('payload', 'holder'),
  ],
  id: [textAt('payload', 'jti'), textAt('payload', 'vp', 'id'), textAt('payload', 'id')],
};

function write(token: Token, { path, value }: { path: string[]; value: unknown }): void {
  const last = path.at(-1) ?? '';
  let parent: JsonObject = { ...token };
  for (const name of path.slice(0, -1)) {
    parent[name] ??= {};
    parent = Object(parent[name]);
  }
  parent[last] = value;
}

/** Every two different places. */
const pairs = (places: Place[]): [Place, Place][] =>
  places.flatMap((first, index) => places.slice(index + 1).map((second): [Place, Place] => [first, second]));

const names = fc.constantFrom('did:example:a', 'did:example:b', 'did:example:A', 'did:example:a#1', 'constructor');

type Reader = (token: Token) => object;

const KINDS: [string, Record<string, Place[]>, Reader][] = [
  ['credential', CREDENTIAL_PLACES, readCredentialFacts],
  ['presentation', PRESENTATION_PLACES, readPresentationFacts],
];

const outcome = (read: Reader, token: Token): unknown => {
  try {
    return read(token);
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
};

const credential = (payload: JsonObject, header: JsonObject = {}) =>
  outcome(readCredentialFacts, { header, payload }) as Record<string, unknown>;

describe('the facts of a token', () => {
  for (const [kind, things, read] of KINDS)
    for (const [thing, places] of Object.entries(things))
      it(`any two places of a ${kind} that name its ${thing} give one name, or a refusal that names both`, () => {
        for (const [first, second] of pairs(places))
          fc.assert(
            fc.property(
              names,
              names,
              fc.constantFrom(...first.forms),
              fc.constantFrom(...second.forms),
              (one, other, formOfOne, formOfOther) => {
                const token = { header: {}, payload: {} };
                write(token, { path: first.path, value: formOfOne(one) });
                write(token, { path: second.path, value: formOfOther(other) });
                const found = outcome(read, token);
                if (one !== other) expect(found).to.match(/do not name the same|one value in v[cp] and another beside/);
                else expect(found).to.include(thing === 'id' ? {} : { [thing]: one });
              },
            ),
            { numRuns: 60 },
          );
      });

  it('a member that stands in the document and beside it has one value; dates and the forms of parties may differ', () => {
    const json = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(fc.constantFrom('type', 'evidence', '@context', 'toString'), json, json, (member, inner, beside) => {
        const found = credential({ vc: { [member]: inner }, [member]: beside });
        if (isSameJson(inner, beside)) expect(found).to.be.an('object');
        else expect(found).to.equal(`${member} has one value in vc and another beside it`);
      }),
    );
    const dates = { validUntil: 'a', vc: { validUntil: 'b' } };
    expect(credential(dates)).to.be.an('object');
    const parties = { issuer: 'did:a', vc: { issuer: { id: 'did:a', name: 'A' } } };
    expect(credential(parties)).to.deep.include({ issuer: 'did:a', document: parties.vc });
  });

  it('a name that cannot be read is a refusal; an absent, null or empty one names nothing', () => {
    const unreadable = [7, true, [], ['did:a'], {}, { id: 7 }, { id: ['did:a'] }, { id: '' }, { id: null }];
    for (const value of unreadable) {
      expect(credential({ vc: { issuer: value } }), JSON.stringify(value)).to.match(
        /^vc\.issuer(\.id)? is not a text$/,
      );
      expect(outcome(readPresentationFacts, { header: {}, payload: { vp: { holder: value } } })).to.be.a('string');
      expect(credential({ iss: value })).to.equal('iss is not a text');
      expect(credential({ sub: value })).to.equal('sub is not a text');
      expect(credential({ jti: value })).to.equal('jti is not a text');
    }
    for (const value of [undefined, null, ''])
      expect(credential({ iss: value, sub: value, jti: value, vc: { issuer: 'did:a' } })).to.include({
        issuer: 'did:a',
      });
    for (const vc of [null, 'x', [], 7]) expect(credential({ vc })).to.equal('vc is not an object');
    expect(credential({ vc: { credentialSubject: 7 } })).to.equal('credentialSubject.id is not a text');
  });

  it('several subjects have no common name, and no sub', () => {
    const credentialSubject = [{ id: 'did:a' }, { id: 'did:b' }];
    expect(credential({ vc: { credentialSubject } })).to.include({ subject: undefined });
    expect(credential({ sub: 'did:a', vc: { credentialSubject } })).to.be.a('string');
    expect(credential({ sub: 'did:a', vc: { credentialSubject: [{ id: 'did:a' }, { id: 'did:a' }] } })).to.include({
      subject: 'did:a',
    });
  });

  it('a header that says what the token is not is a refusal', () => {
    const presentation = (typ: string) => outcome(readPresentationFacts, { header: { typ }, payload: { vp: {} } });
    for (const typ of ['vp+jwt', 'VP+JWT', 'application/vp+jwt', 'vp+ld+json+jwt']) {
      expect(credential({}, { typ })).to.match(/^the header typ says vp/i);
      expect(presentation(typ)).to.be.an('object');
    }
    for (const typ of ['vc+jwt', 'application/vc+ld+jwt']) {
      expect(presentation(typ)).to.match(/^the header typ says vc/);
      expect(credential({}, { typ })).to.be.an('object');
    }
    for (const typ of ['JWT', 'jwt', '', 'x'])
      expect([credential({}, { typ }), presentation(typ)]).to.not.include('typ');
  });

  it('any claims are read or refused in words', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (vc, issuer, credentialSubject) => {
        const found = credential({ iss: 'did:a', vc, issuer, credentialSubject });
        if (typeof found === 'object') expect(found.issuer).to.equal('did:a');
        else expect(found).to.match(/^[a-z][A-Za-z. ]{5,120}$/);
      }),
    );
  });
});

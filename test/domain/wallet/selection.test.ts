import { expect } from 'chai';
import fc from 'fast-check';
import type { ClaimPath } from '../../../domain/credentials/disclosure.ts';
import { isDomainError } from '../../../domain/foundation/errors.ts';
import type { StoredCredential } from '../../../domain/holdings/credentials.ts';
import { compileDcql } from '../../../domain/presentation/dcql/matching.ts';
import { readDcqlQuery } from '../../../domain/presentation/dcql/query.ts';
import type { CompiledQuery, Match } from '../../../domain/presentation/matching/compiled-query.ts';
import { claimChoice, selectFirst, selectNamed, shownClaims } from '../../../domain/wallet/presentation/selection.ts';
import { testFormats } from '../../support/credentials/formats.ts';

const TYPES = ['a', 'b', 'c'];

/** A credential of a type, as the wallet matches it. */
const credential = (type: string, id: string): StoredCredential =>
  ({
    id,
    format: 'dc+sd-jwt',
    parsed: { format: 'dc+sd-jwt', type, claims: {}, document: { vct: type }, issuer: { kind: 'url', id: 'i' } },
  }) as unknown as StoredCredential;

/** A wallet, and a query for credentials of types with choices between the queries. */
const exchanges = fc
  .record({
    held: fc.array(fc.constantFrom(...TYPES), { maxLength: 6 }),
    asked: fc.array(fc.record({ type: fc.constantFrom(...TYPES), multiple: fc.boolean() }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .chain(({ held, asked }) => {
    const ids = asked.map((_, place) => `q${place}`);
    const option = fc.subarray(ids, { minLength: 1 });
    const sets = fc.array(
      fc.record({ options: fc.array(option, { minLength: 1, maxLength: 3 }), required: fc.boolean() }),
      {
        maxLength: 3,
      },
    );
    return sets.map((credential_sets) => {
      const credentials = asked.map(({ type, multiple }, place) => ({
        id: `q${place}`,
        format: 'dc+sd-jwt',
        multiple,
        meta: { vct_values: [type] },
      }));
      const written = { credentials, ...(credential_sets.length > 0 && { credential_sets }) };
      const query = compileDcql(readDcqlQuery(written, testFormats), { formats: testFormats });
      const stored = held.map((type, place) => credential(type, `c${place}`));
      return { query, credentials: stored };
    });
  });

const matchesOf = (query: CompiledQuery, credentials: readonly StoredCredential[]): Match[] =>
  query.queryIds.map((queryId) => {
    const found = [...credentials.keys()].filter((place) => query.accepts(queryId, credentials[place]?.parsed));
    return { queryId, credentials: found, met: found.length > 0 };
  });
const answeredBy = (query: CompiledQuery, hints: readonly { queryId: string; index?: number }[]): Match[] =>
  query.queryIds.map((queryId) => {
    const credentials = hints.flatMap((hint) => (hint.queryId === queryId ? (hint.index ?? []) : []));
    return { queryId, credentials, met: credentials.length > 0 };
  });
const refused = (work: () => unknown): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!isDomainError(error, 'BadRequest')) throw error;
    return String(error.details?.[0]?.path[0]);
  }
};

describe('what a wallet selects for a request', () => {
  it('answers all that it can, with credentials that satisfy their queries, and leaves out what is not needed', () => {
    fc.assert(
      fc.property(exchanges, ({ query, credentials }) => {
        const matches = matchesOf(query, credentials);
        const why = refused(() => selectFirst(matches, { query, credentials }));
        expect(why === undefined).to.equal(query.isAnswerable(matches));
        if (why !== undefined) return;
        const { selected, hints } = selectFirst(matches, { query, credentials });
        const answered = answeredBy(query, hints);
        expect(query.isSatisfied(answered)).to.equal(true);
        for (const { queryId, index = -1 } of hints)
          expect(query.accepts(queryId, selected[index]?.parsed)).to.equal(true);
        for (const { queryId, credentials: places } of answered)
          if (query.singleIds.has(queryId)) expect(places.length).to.be.at.most(1);
        const needed = query.describe().choices.filter(({ isRequired }) => isRequired);
        if (query.describe().choices.length > 0)
          for (const { queryId } of hints)
            expect(needed.some(({ options }) => options.flat().includes(queryId))).to.equal(true);
      }),
    );
  });

  it('takes exactly the pairs that a person names, in any order, and refuses them when they are not enough', () => {
    const named = exchanges.chain((exchange) => {
      const pairs = matchesOf(exchange.query, exchange.credentials).flatMap(({ queryId, credentials }) =>
        credentials.map((place) => ({ queryId, credentialId: exchange.credentials[place]?.id ?? '' })),
      );
      return fc.shuffledSubarray(pairs).map((chosen) => ({ ...exchange, chosen }));
    });
    fc.assert(
      fc.property(named, ({ query, credentials, chosen }) => {
        const places = chosen.map(({ queryId, credentialId }) => ({
          queryId,
          index: credentials.findIndex(({ id }) => id === credentialId),
        }));
        const answered = answeredBy(query, places);
        const isOne = answered.every(
          ({ queryId, credentials: found }) => found.length < 2 || !query.singleIds.has(queryId),
        );
        const why = refused(() => selectNamed(chosen, { query, credentials }));
        expect(why).to.equal(isOne && query.isSatisfied(answered) ? undefined : 'selectedCredentialOptions');
        if (why !== undefined) return;
        const { selected, hints } = selectNamed([...chosen, ...chosen], { query, credentials });
        const taken = hints.map(({ queryId, index = -1 }) => ({ queryId, credentialId: selected[index]?.id }));
        expect(taken).to.deep.equal(chosen);
      }),
    );
  });

  it('refuses a credential for a query that it does not satisfy', () => {
    fc.assert(
      fc.property(exchanges, fc.nat(), fc.nat(), ({ query, credentials }, one, other) => {
        const queryId = query.queryIds[one % query.queryIds.length] ?? '';
        const held = credentials[other % Math.max(credentials.length, 1)];
        fc.pre(held !== undefined && !query.accepts(queryId, held.parsed));
        const chosen = [{ queryId, credentialId: held?.id ?? '' }];
        expect(refused(() => selectNamed(chosen, { query, credentials }))).to.equal('selectedCredentialOptions');
      }),
    );
  });
});

describe('which claims a person may choose', () => {
  const path = fc.constantFrom<ClaimPath>(['a'], ['b'], ['c', 'd'], ['c', 'e'], ['f', 0]);
  const ways = fc.array(fc.uniqueArray(path, { selector: String, maxLength: 4 }), { minLength: 1, maxLength: 4 });
  const has = (paths: readonly ClaimPath[], one: ClaimPath) => paths.some((other) => String(other) === String(one));

  it('a claim is required when every way has it, and selectable when only some have it', () => {
    fc.assert(
      fc.property(ways, path, (alternatives, one) => {
        const { required, selectable } = claimChoice(alternatives) ?? { required: [], selectable: [] };
        const count = alternatives.filter((way) => has(way, one)).length;
        expect(has(required, one)).to.equal(count === alternatives.length);
        expect(has(selectable, one)).to.equal(count > 0 && count < alternatives.length);
      }),
    );
  });

  it('what is shown completes a way, and is what is required with what was chosen and no other claim', () => {
    fc.assert(
      fc.property(ways, fc.uniqueArray(path, { selector: String, minLength: 1 }), (alternatives, chosen) => {
        const { required, selectable } = claimChoice(alternatives) ?? { required: [], selectable: [] };
        const shown = [...required, ...chosen.filter((one) => !has(required, one))];
        const isAsked = chosen.every((one) => has([...required, ...selectable], one));
        const isEnough = alternatives.some((way) => way.every((one) => has(shown, one)));
        const why = refused(() => shownClaims(chosen, alternatives));
        expect(why).to.equal(isAsked && isEnough ? undefined : 'selectedDisclosureOptions');
        if (why === undefined) expect(shownClaims(chosen, alternatives)).to.deep.equal(shown);
      }),
    );
  });

  it('nothing is chosen where nothing is named, nor of a credential that is asked for as a whole', () => {
    expect(shownClaims([], [[['a']]])).to.equal(undefined);
    expect(claimChoice([undefined])).to.equal(undefined);
    expect(refused(() => shownClaims([['a']], [undefined]))).to.equal('selectedDisclosureOptions');
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import { Rfc9535Paths } from '../../../adapters/json/json-paths.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { FORMATS } from '../../../domain/credentials/formats/table.ts';
import { isoDuration } from '../../../domain/foundation/time.ts';
import { descriptorOfType } from '../../../domain/presentation/exchange/definition.ts';
import { compileDefinition } from '../../../domain/presentation/exchange/presentation-exchange.ts';
import {
  createSubmission,
  hintsOf,
  type ListedPresentation,
  parseSubmission,
} from '../../../domain/presentation/exchange/submission.ts';
import { parsedCredential, testFormats } from '../../support/credentials/formats.ts';

const ports = { paths: new Rfc9535Paths(), schemas: new CallerSchemas(), formats: testFormats };

const { credentialsAt } = FORMATS.jwt_vc_json.presentation;

const only = (count: number): ListedPresentation => ({ count, credentialsAt, isListed: false });

const presented = (type: string) =>
  parsedCredential({ type, claims: { vc: { type: ['VerifiableCredential', type] } } });

describe('presentation submissions', () => {
  it('a presentation meets the same queries in any order of its credentials and its submission', async () => {
    const types = fc.uniqueArray(fc.constantFrom('A', 'B', 'C', 'D', 'E'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(types, types, fc.nat(), async (asked, held, seed) => {
        const definition = { id: 'd', input_descriptors: asked.map((type) => descriptorOfType(type, type)) };
        const query = await compileDefinition(definition, ports);
        const turn = <T>(list: T[], by: number): T[] => list.map((_, index) => list[(index + by) % list.length] as T);
        const covered = (order: string[], map: string[]) => {
          const hints = map
            .filter((type) => order.includes(type))
            .map((type) => ({ queryId: type, index: order.indexOf(type) }));
          const presentation = { format: 'jwt_vp_json', alg: 'ES256', credentials: order.map(presented) };
          return query.match([presentation], hints).map(({ queryId, met }) => [queryId, met]);
        };
        const expected = asked.map((type) => [type, held.includes(type)]);
        expect(covered(held, asked)).to.deep.equal(expected);
        expect(covered(turn(held, seed), turn(asked, seed).reverse())).to.deep.equal(expected);
        expect(covered(turn(held, seed), [])).to.deep.equal(expected);
      }),
      { numRuns: 60 },
    );
  });

  it('names one credential by its index, and none by any other path', () => {
    fc.assert(
      fc.property(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 8 }), (place, count) => {
        const path = `$.vp.verifiableCredential[${place}]`;
        const text = JSON.stringify({ descriptor_map: [{ id: 'a', path: '$', path_nested: { path } }] });
        const [claim] = hintsOf(parseSubmission(text), [only(count)]);
        expect(claim).to.deep.equal({ queryId: 'a', index: place < count ? place : undefined });
      }),
    );
    for (const path of ['$.vp.verifiableCredential[-1]', '$.vp.verifiableCredential[00001]', '$.vc', '$[0]', '$..*'])
      expect(hintsOf({ descriptor_map: [{ id: 'a', path }] }, [only(1)])[0]?.index, path).to.equal(undefined);
  });

  it('property: in a list, an entry names one credential of the presentation at its place, and none without a place', () => {
    const presentation = fc.record({ count: fc.integer({ min: 1, max: 4 }), isWhole: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(presentation, { minLength: 1, maxLength: 5 }),
        fc.nat(5),
        fc.nat(4),
        (list, place, inner) => {
          const listed = list.map(({ count, isWhole }) =>
            isWhole ? { count: 1, credentialsAt: [], isListed: true } : { count, credentialsAt, isListed: true },
          );
          const named = (entry: object) => hintsOf({ descriptor_map: [{ id: 'a', ...entry }] }, listed)[0]?.index;
          const at = listed[place];
          const before = listed.slice(0, place).reduce((sum, { count }) => sum + count, 0);
          const path = `$[${place}]`;
          expect(named({ path })).to.equal(at?.count === 1 ? before : undefined);
          const nested = { path, path_nested: { path: `$.vp.verifiableCredential[${inner}]` } };
          const isThere = at !== undefined && at.credentialsAt.length > 0 && inner < at.count;
          expect(named(nested)).to.equal(isThere ? before + inner : undefined);
          const isAlone = listed.length === 1 && at?.count === 1;
          if (place === 0) expect(named({ path: '$' })).to.equal(isAlone ? 0 : undefined);
        },
      ),
    );
  });

  it('an entry for documents that no path distinguishes is no hint', () => {
    const presented = { count: 2, credentialsAt: [], isListed: false };
    expect(hintsOf({ descriptor_map: [{ id: 'a', path: '$' }] }, [presented])).to.deep.equal([]);
    expect(hintsOf({ descriptor_map: [{ id: 'a', path: '$[0]' }] }, [presented])).to.deep.equal([
      { queryId: 'a', index: undefined },
    ]);
  });

  it('one that a wallet creates is read back as the same hints', () => {
    const hint = fc.record({ queryId: fc.string({ minLength: 1 }), index: fc.nat({ max: 31 }) });
    fc.assert(
      fc.property(fc.array(hint, { maxLength: 8 }), (hints) => {
        const answers = hints.map((one) => ({ ...one, presentation: 0 }));
        const submission = createSubmission({ id: 's', definitionId: 'd', answers, formats: [FORMATS.jwt_vc_json] });
        expect(hintsOf(parseSubmission(JSON.stringify(submission)), [only(32)])).to.deep.equal(hints);
      }),
    );
  });

  it('one that is nested too deeply is refused', () => {
    let nested: object = { path: '$' };
    for (let depth = 0; depth < 12; depth += 1) nested = { path: '$', path_nested: nested };
    expect(() => parseSubmission(JSON.stringify({ descriptor_map: [{ id: 'a', ...nested }] }))).to.throw(/too deep/);
  });
});

describe('durations in results', () => {
  it('say in ISO 8601 exactly the milliseconds they were made of', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (ms) => {
        const match = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,3})?)S)?$/.exec(isoDuration(ms));
        const [, hours = 0, minutes = 0, seconds = 0] = match ?? [];
        expect(match).not.to.equal(null);
        expect(Math.round(((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000)).to.equal(ms);
      }),
    );
    expect(isoDuration(0)).to.equal('PT0S');
  });
});

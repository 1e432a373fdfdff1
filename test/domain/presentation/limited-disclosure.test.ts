import { expect } from 'chai';
import fc from 'fast-check';
import type { ClaimPath } from '../../../domain/credentials/disclosure.ts';
import { compileDefinition } from '../../../domain/presentation/exchange/presentation-exchange.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import {
  parsedCredential,
  policyPorts,
  presentationOf,
  tryPolicy,
  vpSubject,
} from '../../support/credentials/policies.ts';

const CLAIMS = { vct: 'urn:x', name: 'Ada', address: { city: 'London', street: 'St James' }, list: ['a', 'b'] };

/** Presents a credential that discloses `withholdable` for descriptors that ask for these paths. */
async function excess(
  withholdable: ClaimPath[] | undefined,
  ...asked: { paths: string[]; limit?: string }[]
): Promise<string | undefined> {
  const credential = parsedCredential({ claims: CLAIMS, withholdable });
  const input_descriptors = asked.map(({ paths, limit = 'required' }, index) => ({
    id: `d${index}`,
    constraints: { limit_disclosure: limit, fields: paths.map((path) => ({ path: [path] })) },
  }));
  const query = await compileDefinition({ id: 'd', input_descriptors }, { ...policyPorts, formats: testFormats });
  const presentations = [presentationOf([credential])];
  const matches = query.match(presentations, []);
  return query.brokenConstraint(presentations, matches)?.constraintFailureDescription;
}

describe('limit_disclosure', () => {
  it('what is asked for, what is around it and what is in it may be disclosed', async () => {
    expect(await excess([['name']], { paths: ['$.name'] })).to.equal(undefined);
    expect(await excess([['address'], ['address', 'city']], { paths: ['$.address.city'] })).to.equal(undefined);
    expect(await excess([['address'], ['address', 'city']], { paths: ['$.address'] })).to.equal(undefined);
    expect(await excess([['list', 1]], { paths: ['$.list[*]'] })).to.equal(undefined);
  });

  it('anything else may not, and is named', async () => {
    expect(await excess([['name']], { paths: ['$.vct'] })).to.equal('name was disclosed, which d0 does not ask for');
    const street = await excess(
      [
        ['address', 'city'],
        ['address', 'street'],
      ],
      { paths: ['$.address.city'] },
    );
    expect(street).to.match(/^address\.street /);
    expect(await excess([['list', 1]], { paths: ['$.list[0]'] })).to.match(/^list\.1 /);
  });

  it('only a limit that is required counts, and only for what a holder can withhold', async () => {
    expect(await excess([['name']], { paths: ['$.vct'], limit: 'preferred' })).to.equal(undefined);
    expect(await excess(undefined, { paths: ['$.vct'] })).to.equal(undefined);
    expect(await excess([], { paths: ['$.vct'] })).to.equal(undefined);
  });

  it('a credential for several descriptors may disclose what any asks for, or all when one has no limit', async () => {
    expect(await excess([['name']], { paths: ['$.vct'] }, { paths: ['$.name'] })).to.equal(undefined);
    expect(await excess([['name']], { paths: ['$.vct'] }, { paths: ['$.vct'], limit: 'preferred' })).to.equal(
      undefined,
    );
    expect(await excess([['name'], ['list', 0]], { paths: ['$.vct'] }, { paths: ['$.name'] })).to.match(/^list\.0 /);
  });

  it('asking for more never makes a disclosure too much', async () => {
    const PLACES: ClaimPath[] = [
      ['name'],
      ['address'],
      ['address', 'city'],
      ['address', 'street'],
      ['list', 0],
      ['list', 1],
    ];
    const pathOf = (place: ClaimPath) => `$${place.map((part) => `[${JSON.stringify(part)}]`).join('')}`;
    const places = fc.subarray(PLACES);
    await fc.assert(
      fc.asyncProperty(places, places, places, async (disclosed, asked, more) => {
        const paths = ['$.vct', ...asked.map(pathOf)];
        const [less, all] = [
          await excess(disclosed, { paths }),
          await excess(disclosed, { paths: [...paths, ...more.map(pathOf)] }),
        ];
        if (less === undefined) expect(all).to.equal(undefined);
        expect(await excess(asked, { paths })).to.equal(undefined);
      }),
      { numRuns: 40 },
    );
  });

  it('the policy presentation-definition fails with a code of its own', async () => {
    const credential = parsedCredential({ claims: CLAIMS, withholdable: [['name']] });
    const constraints = { limit_disclosure: 'required', fields: [{ path: ['$.vct'] }] };
    const definition = { id: 'd', input_descriptors: [{ id: 'a', constraints }] };
    const query = await compileDefinition(definition, { ...policyPorts, formats: testFormats });
    const presentations = [presentationOf([credential])];
    const response = { query, matches: query.match(presentations, []), presentations, credentials: [credential] };
    const line = await tryPolicy('presentation-definition', {
      subject: vpSubject([credential]),
      context: { response },
    });
    expect(line).to.deep.include({ is_success: false, code: 'discloses-too-much' });
    expect(line.error).to.include({ constraint: 'limit_disclosure' });
  });
});

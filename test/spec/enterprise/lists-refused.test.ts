import { expect } from 'chai';
import { LISTS } from '../../../domain/tenancy/services/lists.ts';
import { fieldsOf, may, withoutRequestId } from '../../actors/tenant.ts';
import { LIST_NAMES, type ListedTenant, PLACES, SORTS, startLists } from '../../actors/tenant-lists.ts';

describe('what lists refuse', () => {
  let { world, get } = {} as ListedTenant;
  before(async () => {
    ({ world, get } = await startLists());
  });
  after(() => world.close());

  /** What no whole number is written as, after the name of the parameter. */
  const NO_NUMBERS = [
    ...['=', '', '=%205', '=5%20', '=+5', '=%2B5', '=05', '=-0', '=00', '=1.0', '=1e2', '=0x10', '=5_0', '=%D9%A5'],
    ...['=-1', '=9007199254740992', '=99999999999999999999', '=abc', '=true', '=null', '=NaN', '=5%00', '=%EF%BC%95'],
  ];
  const WRONG: Record<string, string[]> = {
    '/query/limit': [...NO_NUMBERS.map((text) => `limit${text}`), 'limit=0', 'limit=21', 'limit=5&limit=5'],
    '/query/offset': [...NO_NUMBERS.map((text) => `offset${text}`), 'offset=0&offset=0'],
    '/query/offset[]': ['offset[]=1'],
    '/query/limit[]': ['limit[]=1'],
    '/query/Limit': ['Limit=1'],
    '/query/surprise': ['surprise=1'],
  };
  const WRONG_SORTS = ['sort=', 'sort', 'sort=createdDateTime+', 'sort=createdDateTime%20', 'sort=CREATEDDATETIME'];
  const MORE_WRONG_SORTS = [
    'sort=createddatetime',
    'sort=name',
    'sort=createdDateTime&sort=createdDateTime',
    'sort=toString',
  ];

  for (const list of LIST_NAMES) {
    const { sortable } = LISTS[list];
    describe(list, () => {
      it('400: refuses every other limit, offset and parameter, naming it', async () => {
        for (const [path, queries] of Object.entries(WRONG))
          for (const query of queries) expect(fieldsOf(await get(list, `?${query}`)), query).to.deep.equal([path]);
        expect((await get(list, '?limit=%zz')).status).to.equal(400);
      });

      it('400: reports all invalid parameters together', async () => {
        const answer = await get(list, '?limit=0&offset=x&sort=&surprise=1');
        expect(fieldsOf(answer)).to.have.members(['/query/limit', '/query/offset', '/query/sort', '/query/surprise']);
      });

      it('400: states what each parameter must be', async () => {
        const { details } = (await get(list, '?surprise=1&offset=x&limit=5&limit=5&sort=name')).body;
        const sort =
          'createdDateTime, createdDateTime-, createdDateTime+, updatedDateTime, updatedDateTime-, updatedDateTime+';
        expect(details).to.deep.equal([
          { path: '/query/limit', message: 'must be a whole number from 1 to 20, written in digits' },
          { path: '/query/offset', message: 'must be a whole number from 0, written in digits' },
          {
            path: '/query/sort',
            message: sortable ? `must be one of ${sort} (with + written as %2B)` : 'this list cannot be sorted',
          },
          { path: '/query/surprise', message: 'is not a known field' },
        ]);
      });

      it('400: refuses an unknown sort, and any sort on a list that cannot be sorted', async () => {
        const wrong = [...WRONG_SORTS, ...MORE_WRONG_SORTS, ...(sortable ? [] : SORTS.map((sort) => `sort=${sort}`))];
        for (const query of wrong) expect(fieldsOf(await get(list, `?${query}`)), query).to.deep.equal(['/query/sort']);
        const plus = await get(list, '?sort=createdDateTime+');
        if (sortable) expect(plus.body.message).to.contain('%2B');
      });

      it('400: refuses malformed targets, with any parameters', async () => {
        for (const target of ['a..b', '.a', 'a%20b', 'a.*', 'x'.repeat(129), 'a%2Fb', '%C3%A9'])
          expect(fieldsOf(await get(list, '?limit=0', { target })), target).to.deep.equal(['/path/target']);
      });

      it('401: without a login, before any other check', async () => {
        for (const token of ['', 'x', 'a.b.c'])
          expect((await get(list, '?limit=0', { target: 'a..b', token })).status).to.equal(401);
      });

      it('403: without the permission, before the parameters are validated', async () => {
        const { token } = await world.member([may('acme', 'something-else')]);
        expect((await get(list, '?limit=0', { token })).status).to.equal(403);
        expect((await get(list, '', { token, target: `${PLACES[list]}x` })).status).to.equal(403);
      });

      it('404: for a service of another type and one that does not exist, before the parameters are validated', async () => {
        const others = Object.values(PLACES).filter((place) => list !== 'listResources' && place !== PLACES[list]);
        for (const target of [...others, 'absent', 'acme.absent', `${PLACES[list]}.e0.x`])
          expect((await get(list, '?limit=0', { target })).status, target).to.equal(404);
      });

      it('404: the answers for targets of other organizations and for unknown ones are the same', async () => {
        await world.server.call('createOrganization', { json: { _id: 'other' }, token: world.root });
        const { token } = await world.member([may('other')], 'other');
        const target = PLACES[list];
        const foreign = await get(list, '', { token });
        const none = await get(list, '', { token, target: target.replace('acme', 'acne') });
        expect(foreign.status).to.equal(404);
        expect(JSON.stringify(withoutRequestId(foreign))).to.equal(
          JSON.stringify(withoutRequestId(none)).replace('acne', 'acme'),
        );
      });
    });
  }
});

import { crossDevice } from '../../actors/openid4vp.ts';
import { KMS, may, VERIFIER } from '../../actors/tenant.ts';
import { ok } from '../../actors/tenant-certificates.ts';
import { ISSUER } from '../../actors/tenant-issuer.ts';
import { presenting, receiving } from './holder.ts';
import type { OfficeWorld } from './office.ts';
import { makeIssuer, newResident, revoke } from './residents.ts';
import { type ListPage, listOf, openListOf } from './status-lists.ts';

/** A state in which a page is looked at. */
export interface State {
  /** As in the table of the router. */
  route: string;
  name?: string;
  /** Where `:target` and other names of the route lead; the route itself without. */
  path?: string;
  /** What is there once the page is, as a selector. */
  sees: string;
  /** Why what is there moves until it is shown. */
  moves?: string;
  /** A button or link that is pressed then, and what is there after it. */
  press?: [name: string, sees: string];
  /** How the requests for some paths are answered: with a status, or not before the state is left. */
  answer?: [paths: RegExp, status: number | 'late'];
}

/** What the pages show: made over HTTP, once for all of them. */
export interface Filled {
  /** The cookies of a superadmin and of a holder with a card. */
  cookies: { admin: string; login: string };
  states: State[];
}

const OFFICE = '/office/acme.t1';
const query = (parameters: Record<string, string>) => `?${new URLSearchParams(parameters)}`;

/** Makes an office in which there is something of everything, and lists the states of all pages. */
export async function fill(world: OfficeWorld): Promise<Filled> {
  const { server, root } = world;
  await makeIssuer(world);
  await ok(world.post('createService', 'acme.t1.trust1', { type: 'trust-registry' }), 201);
  await ok(world.post('addTrustedIssuer', 'acme.t1.trust1', { type: 'did', issuer: 'did:web:a.example.org' }), 201);
  await ok(world.post('createTenant', 'acme.t2', {}), 201);
  await ok(world.post('createHostAlias', 'acme.t2', { domain: 'cards.example.org' }), 201);
  await ok(world.post('createRole', 'acme.t1.4711', { name: '4711', permissions: [may(ISSUER)] }), 201);
  const invitation = await ok(
    world.post('createInvitation', 'acme', { email: 'a@example.org', role: 'acme.t1.4711' }),
    201,
  );
  const permissions = [may(KMS, 'list-keys')];
  await ok(world.post('createApiKey', 'acme.t1', { name: '4711', permissions }), 201);
  await world.clerk([may('acme.t1', 'audit-view')]);
  const { wallet, card, answer } = await newResident(world, 'File 1', { recipient: 'ada@example.org' });
  await newResident(world, 'File 2');
  await revoke(world, 'File 2');
  const find = { path: { target: ISSUER }, token: root, query: { reference: 'File 1' } };
  const [issued] = await ok(server.call('listIssuedCredentials', find));
  const [list, openList] = await Promise.all([listOf(world), openListOf(world)]);
  const [{ parsedDocument }] = await ok(wallet.call('listWalletCredentials'));
  const asks = { id: 'card', format: 'dc+sd-jwt', meta: { vct_values: [parsedDocument.vct] } };
  const claims = [{ path: ['family_name'] }];
  const setup = crossDevice({ dcql_query: { credentials: [{ ...asks, claims }] } });
  await ok(world.post('createSavedCheck', `${VERIFIER}.4711`, { name: '4711', setup }), 201);
  const profileId = 'resident-card_dc-sd-jwt';
  const offer = await ok(
    world.post('tenantCreateCredentialOffer', ISSUER, {
      profileId,
      authMethod: 'PRE_AUTHORIZED',
      txCode: { input_mode: 'numeric', length: 6 },
      runtimeOverrides: { credentialData: { family_name: 'Lovelace', birth_date: '1990-12-10' } },
    }),
    201,
  );
  const open = await ok(
    server.call('createCredentialOffer', {
      json: { profileId: 'IdentityCredential_dc-sd-jwt', authMethod: 'PRE_AUTHORIZED' },
    }),
    201,
  );
  const ask = async (policies: object[] = []) => {
    const core = {
      dcql_query: { credentials: [{ ...asks, claims }] },
      policies: { vc_policies: ['signature', ...policies] },
    };
    return ok(server.call('createVerificationSession', { json: crossDevice(core) }));
  };
  const [waiting, good, bad, declined] = [await ask(), await ask(), await ask([FOREIGN]), await ask()];
  for (const { bootstrapAuthorizationRequestUrl: link } of [good, bad]) await answer(link);
  await wallet.call('declinePresentationRequest', {
    json: { presentationRequest: declined.bootstrapAuthorizationRequestUrl },
  });
  return {
    cookies: { admin: root, login: wallet.token },
    states: [
      ...OPEN_PAGES,
      ...OFFICE_PAGES,
      ...listPages('/office/:target/status', list),
      ...listPages('/status', openList),
      { route: '/issue/:profile', path: '/issue/IdentityCredential_dc-sd-jwt', sees: 'form' },
      {
        route: '/issue/session/:id',
        path: `/issue/session/${open.offerId ?? open.sessionId}${query({ offer: open.credentialOffer })}`,
        sees: '.qr',
      },
      { route: '/verify/session/:id', name: 'waiting', path: `/verify/session/${waiting.sessionId}`, sees: '.qr' },
      { route: '/verify/session/:id', name: 'verified', path: `/verify/session/${good.sessionId}`, sees: '.checks' },
      {
        route: '/verify/session/:id',
        name: 'not verified',
        path: `/verify/session/${bad.sessionId}`,
        sees: '.checks .bad-word',
      },
      {
        route: '/verify/session/:id',
        name: 'declined',
        path: `/verify/session/${declined.sessionId}`,
        sees: 'text=declined',
      },
      { route: '/verify/session/:id', name: 'gone', path: '/verify/session/none', sees: '[role=alert]' },
      { route: '/issue/session/:id', name: 'gone', path: '/issue/session/none', sees: '[role=alert]' },
      { route: '/wallet/credentials/:id', path: `/wallet/credentials/${card}`, sees: 'dl' },
      { route: '/wallet/receive', name: 'offered', path: receiving(open.credentialOffer), sees: 'text=Accept' },
      { route: '/wallet/receive', name: 'with a code', path: receiving(offer.credentialOffer), sees: 'input' },
      {
        route: '/wallet/present',
        name: 'asked',
        path: presenting(waiting.bootstrapAuthorizationRequestUrl),
        sees: 'text=You keep',
      },
      { route: '/account/invitation', path: `/account/invitation${query({ token: invitation.token })}`, sees: 'form' },
      {
        route: '/office/:target/issue/:id',
        path: `${OFFICE}/issue/${offer.offerId ?? offer.sessionId}${query({ offer: offer.credentialOffer })}`,
        sees: '.qr',
      },
      { route: '/office/:target/issued/:id', path: `${OFFICE}/issued/${issued.id}`, sees: 'dl' },
      {
        route: '/office/:target/issued/:id',
        name: 'question',
        path: `${OFFICE}/issued/${issued.id}`,
        sees: 'dl',
        press: ['Suspend', 'dialog[open]'],
      },
      {
        route: '/office/:target/issue',
        name: 'filled in',
        path: `${OFFICE}/issue${query({ type: profileId })}`,
        sees: 'form',
      },
      {
        route: '/office/:target/issue-many',
        name: 'of a type',
        path: `${OFFICE}/issue-many${query({ type: profileId })}`,
        sees: 'text=File (CSV)',
      },
    ],
  };
}

/** A policy that our issuers do not pass. */
const FOREIGN = { policy: 'allowed-issuer', args: 'did:web:other.example.org' };

const LIST = /\/kms-service-api\//;

const OPEN_PAGES: State[] = [
  { route: '/', sees: 'text=See it work in a minute' },
  { route: '/', name: 'no page', path: '/none', sees: 'text=There is no such page' },
  { route: '/issue', sees: 'text=Identity' },
  { route: '/verify', sees: 'form' },
  { route: '/status', sees: 'table' },
  { route: '/wallet', sees: '.card' },
  { route: '/wallet/login', sees: 'form' },
  { route: '/wallet/login', name: 'with a certificate', path: '/wallet/login?with=certificate', sees: '#chain' },
  { route: '/wallet/register', sees: 'form' },
  { route: '/wallet/add', sees: 'textarea, input' },
  { route: '/wallet/log', sees: 'table' },
  { route: '/wallet/keys', sees: 'text=did:' },
  { route: '/wallet/receive', name: 'unreadable', path: receiving('none'), sees: '[role=alert]' },
  { route: '/wallet/present', name: 'unreadable', path: presenting('none'), sees: '[role=alert]' },
  { route: '/account/login', sees: 'form' },
  { route: '/account/first', sees: 'form' },
  { route: '/account/password', path: '/account/password?token=x', sees: '#password' },
  { route: '/account/new-organization', sees: 'form' },
  { route: '/account/audit', sees: 'table' },
  { route: '/account/health', sees: 'table' },
  { route: '/office', path: '/office?choose=yes', sees: 'text=Acme' },
];

/** The pages of a status list, and of an entry of it that can be changed. */
const listPages = (route: string, { page, index }: ListPage): State[] => [
  { route, name: 'found', path: `${page.slice(0, page.lastIndexOf('/'))}?value=none`, sees: '.notice' },
  { route: `${route}/:list`, path: page, sees: 'table' },
  { route: `${route}/:list`, name: 'none in this state', path: `${page}?state=suspended`, sees: '.notice' },
  { route: `${route}/:list`, name: 'gone', path: `${page}x`, sees: '[role=alert]' },
  { route: `${route}/:list/:index`, path: `${page}/${index}`, sees: 'dl' },
];

const at = (page: string) => ({ route: `/office/:target/${page}`, path: `${OFFICE}/${page}` });

const OFFICE_PAGES: State[] = [
  { route: '/office/:target', path: OFFICE, sees: 'text=What your cards are called' },
  { ...at('set-up'), sees: 'form' },
  { ...at('types'), sees: 'text=Make a type' },
  { ...at('types/:id'), path: `${OFFICE}/types/resident-card`, sees: '.card' },
  {
    ...at('types/:id'),
    path: `${OFFICE}/types/resident-card`,
    sees: '.card',
    press: ['Remove this type', 'dialog[open]'],
  },
  { ...at('new-type'), sees: 'form' },
  { ...at('new-type'), name: 'refused', sees: 'form', press: ['Make this type', '[role=alert]'] },
  { ...at('issue'), sees: 'text=Resident card' },
  { ...at('issue-many'), sees: 'text=Resident card' },
  { ...at('issued'), sees: 'table' },
  { ...at('issued'), name: 'empty', path: `${OFFICE}/issued?reference=none`, sees: '.notice' },
  { ...at('checks'), sees: '.tasks' },
  { ...at('checks/:id'), path: `${OFFICE}/checks/4711`, sees: 'dl' },
  { ...at('checks/:id/change'), path: `${OFFICE}/checks/4711/change`, sees: 'form' },
  { ...at('new-check'), sees: 'form' },
  { ...at('counter/:check'), path: `${OFFICE}/counter/${VERIFIER}.4711`, sees: '.qr', moves: 'it asks at once' },
  { ...at('keys'), sees: 'table' },
  { ...at('keys'), name: 'empty', path: `${OFFICE}/keys?page=9`, sees: '.notice' },
  { ...at('keys'), name: 'loading', sees: '.skeleton', answer: [LIST, 'late'] },
  { ...at('keys'), name: 'forbidden', sees: '[role=alert]', answer: [LIST, 403] },
  { ...at('keys'), name: 'too many requests', sees: '[role=alert]', answer: [LIST, 429] },
  { ...at('keys'), name: 'failed', sees: '[role=alert]', answer: [LIST, 500] },
  { ...at('keys/:id'), path: `${OFFICE}/keys/key1`, sees: 'pre' },
  { ...at('new-key'), sees: 'form' },
  { ...at('people'), sees: 'text=Invite' },
  { ...at('people/:id'), path: `${OFFICE}/people/4711`, sees: '.words' },
  { ...at('new-role'), sees: 'form' },
  { ...at('invite'), sees: 'form' },
  { ...at('api-keys'), sees: 'table' },
  { ...at('trust'), sees: 'text=did:web:a.example.org' },
  { ...at('domains'), sees: 'text=No domain yet' },
  { ...at('domains'), name: 'given', path: '/office/acme.t2/domains', sees: 'text=cards.example.org' },
  { route: '/office/:target', name: 'empty', path: '/office/acme.t2', sees: 'text=Set up' },
  { ...at('audit'), sees: 'table' },
  { ...at('contents'), sees: 'table' },
  { ...at('contents'), name: 'question', sees: 'table', press: ['Remove', 'dialog[open]'] },
  { ...at('types/:id/change'), path: `${OFFICE}/types/resident-card/change`, sees: 'form' },
  { ...at('status'), sees: 'table' },
  { ...at('status'), name: 'without a service', path: '/office/acme.t2/status', sees: 'text=none of these pages' },
];

/**
 * Writes deploy/proxies/management/: what proxies pass on from all callers, and what from backends alone. They name what is
 * for all callers, since a rule that names what is not would have to know every spelling of it.
 */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { joinDocuments, readDocuments } from './join-documents.mjs';

/** The methods of requests that an operation of a method answers. */
const ASKED = { get: ['GET', 'HEAD'], post: ['POST'], put: ['PUT'], patch: ['PATCH'], delete: ['DELETE'] };
/** What stands for a parameter of a path: one segment, and for the one of several all of them. */
const SEGMENT = '[^/?]+';
const SEVERAL = { didPath: '[^?]+' };

/** The paths that are for all callers, as regular expressions without their ends, by methods: those of no management operation. */
function pathsForAll({ paths }) {
  const byMethods = new Map([['OPTIONS', ['/[^?]*']]]);
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item).filter(([name]) => name in ASKED)) {
      if (operation['x-management']) continue;
      const methods = ASKED[method].join(' ');
      const all = [path, ...(operation['x-aliases'] ?? []).map((one) => one.path ?? one)].map(expression);
      byMethods.set(methods, [...new Set([...(byMethods.get(methods) ?? []), ...all])]);
    }
  return byMethods;
}

const expression = (path) =>
  path.replaceAll('.', '\\.').replaceAll(/\{([^}]+)\}/g, (_, name) => SEVERAL[name] ?? SEGMENT);

const written = (what) => [
  '# Written by `npm run docs` from openapi/*.yaml.',
  `# ${what}`,
  '# 10.0.0.0/8 is the network of your backends, which manage: they issue, verify, sign, revoke and see sessions.',
  '',
];

/** The files, by name. */
const FILES = {
  'nginx.conf': (forAll) => [
    ...written('For the http block; the server block has `if ($is_refused) { return 403; }`.'),
    'geo $is_backend {',
    '  default 0;',
    '  10.0.0.0/8 1;',
    '}',
    '# The request as it was sent: another spelling of a path is another path.',
    'map "$request_method $request_uri" $is_for_all {',
    '  default 0;',
    ...[...forAll].flatMap(([methods, paths]) =>
      paths.map((path) => `  "~^(?:${methods.replaceAll(' ', '|')}) ${path}(?:\\?|$)" 1;`),
    ),
    '}',
    'map "$is_backend$is_for_all" $is_refused {',
    '  default 0;',
    '  "00" 1;',
    '}',
  ],
  Caddyfile: (forAll) => [
    ...written('Import it before the site, and let the first line of its block be `import management`.'),
    '(management) {',
    '\t@for_backends {',
    '\t\tnot remote_ip 10.0.0.0/8',
    ...[...forAll].flatMap(([methods, paths]) => [
      '\t\tnot {',
      `\t\t\tmethod ${methods}`,
      '\t\t\t# The request as it was sent: another spelling of a path is another path.',
      `\t\t\tvars_regexp {http.request.orig_uri} \`^(?:${paths.join('|')})(?:\\?|$)\``,
      '\t\t}',
    ]),
    '\t}',
    '\trespond @for_backends 403',
    '}',
  ],
  'traefik.yaml': (forAll) => [
    ...written('Dynamic configuration; without a certificate resolver it is for plain HTTP.'),
    'http:',
    '  routers:',
    '    backends:',
    '      rule: ClientIP(`10.0.0.0/8`)',
    '      priority: 2',
    '      service: credenza',
    ...[...forAll].flatMap(([methods, paths]) => [
      `    ${methods.toLowerCase().replaceAll(' ', '-')}:`,
      '      rule: >-',
      `        (${methods
        .split(' ')
        .map((one) => `Method(\`${one}\`)`)
        .join(' || ')}) && (`,
      paths.map((path) => `        PathRegexp(\`^${path}$\`)`).join(' ||\n'),
      '        )',
      '      priority: 1',
      '      service: credenza',
    ]),
    '  services:',
    '    credenza:',
    '      loadBalancer:',
    '        servers:',
    '          - url: http://127.0.0.1:7001',
  ],
};

/** The text of each file for these documents. */
export const managementFiles = (joined) => {
  const forAll = pathsForAll(joined);
  return Object.fromEntries(Object.entries(FILES).map(([name, lines]) => [name, `${lines(forAll).join('\n')}\n`]));
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [name, text] of Object.entries(managementFiles(joinDocuments(readDocuments()))))
    writeFileSync(new URL(`../deploy/proxies/management/${name}`, import.meta.url), text);

/** The four floors of the house: ports on the ground, domain on them, adapters above, composition on top. */
module.exports = {
  forbidden: [
    {
      name: 'domain-stays-pure',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/foundation/bytes\\.ts$' },
      to: { pathNot: '^(domain|ports)/' },
    },
    {
      name: 'bytes-is-the-one-door-to-node',
      severity: 'error',
      from: { path: '^domain/foundation/bytes\\.ts$' },
      to: { pathNot: '^(domain/|ports/|(node:)?(crypto|zlib|buffer)$)' },
    },
    { name: 'ports-are-the-ground-floor', severity: 'error', from: { path: '^ports/' }, to: { pathNot: '^ports/' } },
    {
      name: 'ports-hold-no-runtime-imports',
      severity: 'error',
      from: { path: '^ports/' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-are-strangers',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/' },
      to: { path: '^adapters/', pathNot: '^adapters/($1/|system/deadline\\.ts$)' },
    },
    {
      name: 'vendors-are-strangers',
      severity: 'error',
      from: { path: '^adapters/kms/([^/]+)/' },
      to: { path: '^adapters/kms/', pathNot: '^adapters/kms/($1|remote)/' },
    },
    {
      name: 'adapters-never-wire',
      severity: 'error',
      from: { path: '^(adapters|domain|ports)/' },
      to: { path: '^composition/' },
    },
    {
      name: 'parties-do-not-know-each-other',
      severity: 'error',
      from: { path: '^domain/(issuer|verifier|wallet|status|tenancy)/', pathNot: '^domain/tenancy/services/' },
      to: { path: '^domain/(issuer|verifier|wallet|status|tenancy)/', pathNot: '^domain/$1/' },
    },
    {
      name: 'services-of-tenants-do-not-know-the-wallet',
      severity: 'error',
      from: { path: '^domain/tenancy/services/' },
      to: { path: '^domain/wallet/' },
    },
    {
      name: 'shared-rooms-know-no-party',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/(issuer|verifier|wallet|status|tenancy)/' },
      to: { path: '^domain/(issuer|verifier|wallet|status|tenancy)/' },
    },
    {
      name: 'inversify-only-in-composition',
      severity: 'error',
      from: { path: '^(adapters|domain|ports|demo|bench)/' },
      to: { path: '(^|node_modules/)(inversify|@inversifyjs|reflect-metadata)' },
    },
    {
      name: 'demo-is-started-by-main',
      severity: 'error',
      from: { pathNot: '^(demo|test)/|^composition/main\\.ts$' },
      to: { path: '^demo/' },
    },
    {
      name: 'folders-have-one-order',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(domain|adapters)/' },
      to: { circular: true },
    },
    {
      name: 'shapes-know-no-folder',
      severity: 'error',
      from: { path: '^domain/(issuer|verifier|wallet)/[^/]+$' },
      to: { path: '^domain/$1/[^/]+/' },
    },
    {
      name: 'folders-do-not-know-what-is-above',
      severity: 'error',
      from: { path: '^domain/(keys|presentation|trust)/[^/]+/' },
      to: { path: '^domain/$1/[^/]+$' },
    },
    {
      name: 'versions-are-shapes',
      severity: 'error',
      from: { path: '^domain/issuer/openid4vci/' },
      to: {
        path: '^domain/',
        pathNot: '^domain/(foundation|credentials|jose|keys|oauth|issuer/(openid4vci|configurations|[^/]+$))',
      },
    },
    {
      name: 'protocols-of-verifiers-are-shapes',
      severity: 'error',
      from: { path: '^domain/verifier/openid4vp/' },
      to: {
        path: '^domain/',
        pathNot:
          '^domain/(foundation|credentials|dids|jose|keys|network|oauth|presentation|verifier/(openid4vp/|protocol\\.ts$))',
      },
    },
    {
      name: 'versions-are-for-handlers',
      severity: 'error',
      from: { pathNot: '^(adapters/http/handlers|domain/issuer/openid4vci|demo|test|bench)/' },
      to: { path: '^domain/issuer/openid4vci/' },
    },
    { name: 'jose-is-below-keys', severity: 'error', from: { path: '^domain/jose/' }, to: { path: '^domain/keys/' } },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    {
      name: 'the-client-knows-the-types-only',
      severity: 'error',
      from: { path: '^client/' },
      to: { pathNot: '^(client/|openapi/types\\.ts$)|node_modules/(openapi-fetch|eventsource-parser)/' },
    },
    {
      name: 'the-client-is-for-callers',
      severity: 'error',
      from: { pathNot: '^(client|portal|test)/' },
      to: { path: '^client/' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
};

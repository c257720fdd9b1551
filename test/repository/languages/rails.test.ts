import { expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

/** Returns what files lead to, of a repository that has these as well. */
async function ledTo(files: Record<string, string>, others: readonly string[]): Promise<string[]> {
  const all = { ...Object.fromEntries(others.map((path) => [path, ""])), ...files };
  const { edges } = await openRepository(directoryWith(all));
  return edges.map(({ from, to }) => `${from} → ${to}`);
}

const CONTROLLERS = [
  "users",
  "profiles",
  "policies",
  "addresses",
  "home",
  "photos",
  "search",
  "api/v1/items",
  "admin/users",
  "admin/shops/items",
  "admin/home",
  "ghosts",
  "admin/ghosts",
  "shop/carts",
  "shop/engine/ghosts",
  "users/sessions",
];
const pathOf = (controller: string) => `app/controllers/${controller}_controller.rb`;

it.each([
  ["resources :users, :photos, only: %i[index show]", ["photos", "users"]],
  ['resources "users", :controller => "photos"', ["photos"]],
  ["resources %i[users photos] do\n  resource :ghost_of_ghosts\nend", ["photos", "users"]],
  ["resource :profile\nresource :policy\nresource :address", ["addresses", "policies", "profiles"]],
  ["resources(:users,\n  only: [:index])", ["users"]],
  [
    "get '/x', to: 'users#show'\nroot 'home#index'\nget '/y' => 'photos#show', :as => :y",
    ["home", "photos", "users"],
  ],
  ["match '/y', :to => \"search#index\", via: :all", ["search"]],
  ["get 'photos/show'\nget '/search/by_name', as: :x", ["photos", "search"]],
  ["get 'photos/show', to: redirect('/users/show')\nget 'photos/show' => redirect('/')", []],
  ["resources :users do\n  member { get 'photos/show' }\n  get :ghosts, on: :member\nend", ["users"]],
  [
    "namespace :admin do\n  resources :users do\n    get 'x', to: 'home#x'\n  end\nend\nresources :photos",
    ["admin/home", "admin/users", "photos"],
  ],
  [
    "namespace :admin do\n  if true\n    namespace(:shops) { }\n  end\n  scope '/x', module: :shops do\n    resources :items\n  end\nend",
    ["admin/shops/items"],
  ],
  ["authenticate :user do\n  namespace :admin do\n    get 'x', to: 'home#x'\n  end\nend", ["admin/home"]],
  ["namespace :x, module: 'admin' do resources :users end", []],
  ["namespace :x, module: 'admin' do\nresources :users\nend", ["admin/users"]],
  ["namespace :api do\n  namespace :v1 do\n    resources :items\n  end\nend", ["api/v1/items"]],
  ["scope :admin do\n  resources :users\nend", ["users"]],
  [
    "controller :photos do\n  get 'ghosts/x'\nend\nscope controller: 'home' do\n  get :x\nend",
    ["home", "photos"],
  ],
  ["resources :users, module: :admin", ["admin/users"]],
  ["namespace :admin do\n  get 'x', to: '/users#x'\nend", ["users"]],
  ["devise_for :users, controllers: { sessions: 'users/sessions' }", ["users/sessions"]],
  ["# resources :ghosts\nx = 'ghosts#index not'\nputs \"resources :ghosts\"", []],
])("the routes %j of Rails lead to the controllers that they name", async (routes, controllers) => {
  const files = { "config/routes.rb": `Rails.application.routes.draw do\n${routes}\nend\n` };
  expect(await ledTo(files, CONTROLLERS.map(pathOf))).toEqual(
    controllers.map((each) => `config/routes.rb → ${pathOf(each)}`),
  );
});

it("routes of an engine name the controllers of its module, and routes may be drawn from other files", async () => {
  const files = {
    "config/routes.rb":
      "Shop::Engine.routes.draw do\n  resources :carts, :users\n  resources :ghosts\n  draw(:admin)\n  draw :missing\nend\n",
    "config/routes/admin.rb": "namespace :admin do\n  resources :users\nend\n",
    "lib/tool.rb": "resources :users\n",
  };
  expect(await ledTo(files, CONTROLLERS.map(pathOf))).toEqual([
    "config/routes.rb → app/controllers/shop/carts_controller.rb",
    "config/routes.rb → app/controllers/shop/engine/ghosts_controller.rb",
    "config/routes.rb → app/controllers/users_controller.rb",
    "config/routes.rb → config/routes/admin.rb",
    "config/routes/admin.rb → app/controllers/admin/users_controller.rb",
  ]);
});

it.each([
  'Dir[File.join(__dir__, "x", "*.rb")].each { |f| require f }',
  'Dir.glob("#{__dir__}/x/*.rb").sort.each do |file|\n  require file\nend',
  'Dir.glob(File.expand_path("x/*.rb", __dir__)).each(&method(:require))',
  'Dir[File.expand_path("../x/*.rb", __FILE__)].each &method(:load)',
  'Dir[File.dirname(__FILE__) + "/x/*.rb"].each { |f| require_relative f }',
  'Dir["#{File.expand_path(File.dirname(__FILE__))}/x/[ab].rb"].sort.each { |f| require f }',
  'Dir["./spec/x/**/*.rb"].each { |f| require f }',
  'Dir[Rails.root.join("spec", "x", "*.rb")].sort.each { |f| require f }',
  'Dir["#{Rails.root}/spec/x/?.rb", ].each { |f| require f }\nDir["#{Rails.root}/spec/x/*.rb"].each { |f| require f }',
  'Rails.root.glob("spec/x/*.rb").sort_by(&:to_s).each { |f| require f }',
  'Dir.glob "spec/x/*" do |f| load f end',
])("a file leads to those that it requires by a pattern: %s", async (line) => {
  const others = [
    "core/spec/x/a.rb",
    "core/spec/x/b.rb",
    "core/spec/x/b.txt",
    "core/spec/y/c.rb",
    "spec/x/d.rb",
  ];
  expect(await ledTo({ "core/spec/helper.rb": line }, others)).toEqual([
    "core/spec/helper.rb → core/spec/x/a.rb",
    "core/spec/helper.rb → core/spec/x/b.rb",
  ]);
});

it.each([
  'Dir["x/*.rb"].each { |f| File.delete f }',
  'Dir["#{place}/x/*.rb"].each { |f| require f }',
  'Dir["y/*.rb"].each { |f| require f }',
  'Dir["x/*.rb"]\nrequire f',
])("a file is not led to by a pattern alone: %s", async (line) => {
  expect(await ledTo({ "helper.rb": line }, ["x/a.rb"])).toEqual([]);
});

it("what is in a folder is required by its path in it, also by way of Rails", async () => {
  const files = {
    "spec/a_spec.rb":
      'require Rails.root.join("lib", "a")\nrequire "#{Rails.root}/config/b"\nrequire File.dirname(__FILE__) + "/c"',
  };
  expect(await ledTo(files, ["lib/a.rb", "config/b.rb", "spec/c.rb"])).toEqual([
    "spec/a_spec.rb → config/b.rb",
    "spec/a_spec.rb → lib/a.rb",
    "spec/a_spec.rb → spec/c.rb",
  ]);
});

/**
 * Words that people use in secrets, in lower case, by subject: from lists of stolen passwords, names of
 * deployments and secrets, first names, places, products and sites. Function words of a sentence are missing:
 * they do not weaken a passphrase.
 */
export const COMMON_WORDS: readonly string[] = `
kennel kennels kennelid pet pets

password passwords passwort passphrase passcode passwd pass pwd secret secrets secure security safe safety token
tokens jwt jws key keys keyring signing sign signed signature hmac sha hash salt crypto cipher encrypt encrypted
encryption decrypt auth authentication authorization login logon signin access session cookie refresh bearer
credential credentials private public master admin admins administrator root superuser user users username guest
account accounts member operator owner manager system server servers service services client host hosting domain
database data backend frontend api app apps application website site web webapp portal cloud cluster docker
kubernetes kube compose container lambda deploy deployment production prod prd staging stage stg preprod development
develop developer dev devel test testing tests tester uat demo sample example examples default local localhost
internal external company corp corporate corporation business enterprise office team group project product customer
org organization inc ltd gmbh config configuration setting settings env environment variable value string text temp
temporary tmp change changeme replace placeholder enter todo fixme random generated strong weak long unique super
ultra mega power admin1 letmein welcome hello goodbye iloveyou trustno blahblah

qwerty qwertz azerty asdf asdfgh asdfghjkl zxcv zxcvbn zxcvbnm qazwsx qazwsxedc poiuy lkjhg mnbvc abc abcd abcde
abcdef abcdefg abcdefgh abcdefghij xyz xxx aaa asd qwe qwer qwert foo bar foobar baz

monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
october november december spring summer autumn fall winter morning evening night midnight tomorrow yesterday weekend
month birthday christmas easter halloween holiday vacation newyear

blue green yellow orange purple black white silver gold golden pink brown gray grey violet indigo scarlet crimson
color colour rainbow

monkey dragon tiger lion eagle falcon hawk phoenix horse pony mustang bronco wolf bear panda koala kitten kitty cat
cats dog dogs doggy puppy buddy rabbit bunny mouse fish shark whale dolphin dolphins turtle frog snake cobra viper
python spider scorpion butterfly bird birds chicken duck goose swan penguin elephant giraffe zebra bull sheep goat
beaver badger raccoon squirrel hamster parrot raven cricket beetle insect unicorn dinosaur animal animals

love lover loveme lovely loving baby babygirl babe angel angels princess prince queen king knight lady girl girls
boys woman women mother father mommy mama daddy papa sister brother daughter grandma family friend friends
friendship forever heart hearts kiss kisses smile happy happiness lucky luck peace hope faith trust freedom free
dream dreams dreamer sweet sweetie sweety honey sugar candy cupcake chocolate vanilla strawberry cherry apple apples
banana lemon mango peach berry grape melon pumpkin potato tomato pepper ginger cheese pizza burger pasta bread
butter coffee beer wine vodka whisky tequila water fire earth wind storm thunder lightning rain snow sunny sunshine
sunset sunrise moon moonlight star stars starlight heaven hell devil demon evil satan ghost shadow shadows darkness
dark light bright sexy hottie hotstuff handsome beautiful beauty pretty gorgeous crazy funny silly stupid idiot
loser winner genius legend legendary hero heroes champion champ boss chief captain major general soldier sniper
killer hunter warrior ninja samurai pirate wizard magic magical merlin gandalf mystic spirit soul energy force
matrix trinity rebel outlaw bandit gangster thug player gamer game games gaming play playboy poker casino joker
batman superman spiderman ironman hulk thor wolverine robin xmen marvel avengers pokemon pikachu naruto goku sonic
mario luigi zelda nintendo playstation xbox minecraft fortnite roblox warcraft starcraft diablo counter strike halo
doom quake

football soccer baseball basketball hockey tennis golf golfer rugby volleyball swimming running runner skate skater
skateboard snowboard surfer surfing fishing hunting camping racing racer nascar ferrari porsche mercedes audi toyota
honda nissan ford chevy chevrolet corvette camaro dodge harley yamaha suzuki ducati kawasaki truck car cars driver
speed turbo yankees lakers cowboys steelers eagles packers raiders redskins bulldogs chelsea arsenal liverpool
barcelona madrid juventus manchester united rangers celtic tottenham everton bayern

michael jennifer jessica ashley daniel joshua andrew matthew anthony christopher jordan justin michelle amanda
nicole thomas robert william charlie charles george david james john johnny steven stephen richard joseph jonathan
alexander alexandra alex benjamin samuel samantha nicholas nick patrick kevin brian eric jason ryan tyler brandon
austin dakota dylan ethan jacob mike chris matt danny tony bobby bill billy jack jackson harry henry oliver oscar
maxwell lucas luke mark martin peter paul simon adam aaron adrian albert arthur carlos diego edward francis frank
fred gabriel gary greg ivan jake jeff jerry jesse jesus jimmy jose juan julian keith larry leonardo louis luis
marcus miguel nathan nelson pablo pedro phil philip raymond ricardo roger ronald ronaldo messi russell scott sean
sebastian shawn stanley steve timothy travis victor vincent walter wayne abby alice alicia amber andrea angela
angelina anna anne annie barbara bella beth betty brenda brittany britney carmen carol caroline catherine charlotte
christina christine cindy claire claudia courtney crystal cynthia daisy danielle debbie diana diane donna dorothy
elizabeth emily emma erica fiona grace hannah heather helen hollie holly isabella jane janet jasmine jenny jessie
joanna julia julie karen kate katherine kathy katie kelly kimberly laura lauren linda lisa lola lucy lily maggie
margaret maria marie marina martha mary megan melanie melissa molly monica nancy natalie natasha nina olivia pamela
patricia paula rachel rebecca rosa rose ruby ruth sabrina sandra sara sarah sharon sheila shelby sophia sophie
stella stephanie susan sweetheart sylvia tara teresa tiffany vanessa veronica victoria virginia vivian wendy yvonne

america american england london paris berlin rome moscow tokyo sydney boston chicago newyork york texas dallas
houston denver florida miami california angeles vegas seattle portland toronto canada mexico brazil india china
japan korea france germany spain italy russia ireland scotland australia africa europe asia world country city town
street house home castle garden river ocean beach island mountain forest desert jungle

google gmail youtube facebook twitter instagram whatsapp tiktok snapchat linkedin pinterest reddit tumblr myspace
amazon aws azure microsoft windows outlook hotmail yahoo iphone ipad macbook android samsung nokia sony dell lenovo
intel nvidia cisco oracle mysql postgres postgresql mongo mongodb sqlite redis github gitlab bitbucket jenkins
heroku netlify vercel cloudflare firebase stripe paypal ebay netflix spotify disney dropbox slack discord zoom skype
telegram wordpress drupal joomla magento shopify wikipedia linux ubuntu debian redhat fedora centos unix macos java
javascript typescript node nodejs react angular express nest django flask rails laravel golang rust swift kotlin php
html css json computer laptop desktop internet network router wifi wireless modem printer keyboard monitor phone
mobile camera video music movie movies guitar piano drums drummer singer dance dancer dancing rock rockstar metal
metallica nirvana slipknot eminem beatles blink jazz blues radio trumpet school student teacher college university
class science history math english spanish french german doctor nurse police army navy marine marines airforce
fireman lawyer engineer artist writer money cash dollar rich bank market shop shopping store sale order invoice
payment diamond diamonds pearl emerald sapphire treasure flower flowers roses orchid sunflower tree trees plant
grass leaf nature life active death dead zombie vampire monster alien aliens space rocket galaxy universe planet
mars venus jupiter saturn pluto apollo zeus athena titan atlas alpha beta gamma delta omega sigma zulu bravo tango
foxtrot whiskey yankee

fuck fucker fuckyou fuckoff asshole bitch pussy dick cock porn sex shit bastard damn

000 0000 00000 000000 111 1111 111111 123 1234 12345 123456 1234567 12345678 123456789 1234567890 0123456789 123123
321 4321 54321 654321 987654321 112233 121212 696969 1q2w3e 1qaz2wsx
`
  .trim()
  .split(/\s+/)

-- want: ^load: require-dots\.lua:2: require: .*only files below the directory of the policy
require("../../../lua")
